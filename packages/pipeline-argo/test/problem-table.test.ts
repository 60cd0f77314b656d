import { describe, expect, test } from "vitest";
import { type ArgoProblemCode, problemTable } from "../src/problems/problem-table.js";
import { quote, quoteList } from "../src/problems/quote.js";

/** What the back end itself refuses. */
const errors = [
  ...["no-name", "no-root", "no-component", "unknown-component", "unknown-executor", "unsupported-executor"],
  ...["no-implementation", "artifact-iterator", "unknown-producer", "no-tasks", "importer-condition"],
  ...["duplicate-template", "component-not-ready", "invalid-kubernetes-settings", "root-user"],
  ...["workspace-size", "workspace-access-modes", "workspace-storage-class", "workspace-patch"],
  ...["invalid-spec-patch", "over-limit", "unwritable"],
];

/** What the advice of each code is about, in some of its own words. */
const advice: Readonly<Record<ArgoProblemCode, string>> = {
  "no-name": "pipelineInfo.name",
  "no-root": "add a root",
  "no-component": "componentRef.name",
  "unknown-component": "define the component in components",
  "unknown-executor": "define the executor in deploymentSpec.executors",
  "unsupported-executor": "no resolvers and no custom jobs",
  "no-implementation": "an executorLabel or a dag",
  "artifact-iterator": "cannot iterate over artifacts",
  "unknown-producer": "inputs come from tasks of the same DAG",
  "no-tasks": "add a task that is not an exit task",
  "importer-condition": "put the importer into a DAG of its own",
  "duplicate-template": "no component the name of a template",
  "component-not-ready": "break the circle",
  "invalid-kubernetes-settings": "the settings of the executor",
  "root-user": "set defaultRunAsUser",
  "workspace-size": "such as 10Gi",
  "workspace-access-modes": "set accessModes in pvcSpecPatch, or in the option defaultWorkspace",
  "workspace-storage-class": "leave storageClassName out, or name a class",
  "workspace-patch": "pvcSpecPatch takes",
  "workspace-claim": "Kubernetes makes no such claim",
  "invalid-spec-patch": "patch existing templates",
  unwritable: "what JSON can hold",
  "over-limit": "the limit maxSize",
  "reserved-template-name": "another name",
  "executor-root": "wrap the executor in a DAG",
  "recursive-component": "stop the recursion",
  "unknown-dependency": "whose tasks depend on unknown ones",
  "circular-dependency": "refuses tasks that wait for each other",
  "argo-task-name": "at most 121",
  "argo-component-name": "name the component with letters",
  "workflow-name": "Kubernetes refuses the workflow",
  "kubernetes-name": "Kubernetes refuses other names",
  "kubernetes-label": "Kubernetes makes no pod",
  "depends-on-exit-task": "refuses a task that waits for one",
  "exit-loop": "put the loop into a DAG",
  "importer-does-not-wait": "importers start at once",
  "lost-exit-task": "no hook of Argo starts it",
  "repeated-exit-task": "each of them starts it",
  "shared-retries": "a policy of their own",
  "lost-retries": "backoffMaxDuration",
  "shared-container": "make the containers differ",
  "ignored-setting": "reads it and does nothing",
  "ignored-null": "removes nothing",
  "unknown-patch-field": "the patch has no effect",
  "argo-tag": "Argo fills a tag in",
  "too-many-problems": "the limit maxProblems",
  "too-large": "make the sources of Python components shorter",
  "long-argument": "argument list too long",
};

describe.each(Object.entries(problemTable))("%s", (code, { severity, hint }) => {
  test("is an error if the back end refuses it, or else a warning", () => {
    const other = code === "too-many-problems" ? "info" : "warning";
    expect(severity).toBe(errors.includes(code) ? "error" : other);
  });

  test("says what to do about it, in some words", () => expect(hint).toMatch(/^[a-z]\S* .*\w[)}]?$/i));
});

test.each(Object.entries(advice))("for %s, and for nothing else, the advice says %j", (code, words) => {
  const saying = Object.entries(problemTable).filter(([, { hint }]) => hint.includes(words));
  expect(saying.map(([one]) => one)).toEqual([code]);
});

test("no two codes give the same advice, and all errors are there", () => {
  const hints = Object.values(problemTable).map(({ hint }) => hint);
  expect(new Set(hints).size).toBe(hints.length);
  expect(errors.filter((code) => !Object.hasOwn(problemTable, code))).toEqual([]);
});

test("names in messages are short, and few", () => {
  expect(quote('a"b')).toBe('"a\\"b"');
  expect(quote("x".repeat(80))).toBe(`"${"x".repeat(80)}"`);
  expect(quote("x".repeat(81))).toBe(`"${"x".repeat(77)}…"`);
  expect(
    ["", "a", "a b", "a b c", "a b c d", "a b c d e"].map((names) => quoteList(names.split(" "))),
  ).toEqual([
    '""',
    '"a"',
    '"a", "b"',
    '"a", "b", "c"',
    '"a", "b", "c" and 1 more',
    '"a", "b", "c" and 2 more',
  ]);
  expect(quoteList(["a", "b"], 1)).toBe('"a" and 1 more');
});
