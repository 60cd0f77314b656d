import { describe, expect, test } from "vitest";
import { problemTable } from "../src/problems/problem-table.js";
import { quote, quoteList } from "../src/problems/quote.js";

/** What the back end itself refuses. */
const errors = [
  ...["no-name", "no-root", "no-component", "unknown-component", "unknown-executor", "unsupported-executor"],
  ...["no-implementation", "artifact-iterator", "unknown-producer", "no-tasks", "importer-condition"],
  ...["duplicate-template", "component-not-ready", "invalid-kubernetes-settings", "root-user"],
  ...["workspace-size", "workspace-access-modes", "workspace-storage-class", "workspace-patch"],
  ...["invalid-spec-patch", "over-limit", "unwritable"],
];

describe.each(Object.entries(problemTable))("%s", (code, { severity, hint }) => {
  test("is an error if the back end refuses it, or else a warning", () => {
    const other = code === "too-many-problems" ? "info" : "warning";
    expect(severity).toBe(errors.includes(code) ? "error" : other);
  });

  test("says what to do about it, in some words", () => expect(hint).toMatch(/^[a-z]\S* .*\w[)}]?$/i));
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
