import { DagSpec, RuntimeArtifact } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { resolveDagOutputs, type TaskOutputs } from "../index.js";

const list = (name: string) => ({ artifacts: [RuntimeArtifact.create({ name })] });
const dag = DagSpec.create({
  outputs: {
    parameters: {
      plain: {
        kind: { $case: "valueFromParameter", value: { producerSubtask: "a", outputParameterKey: "x" } },
      },
      gone: {
        kind: { $case: "valueFromParameter", value: { producerSubtask: "skipped", outputParameterKey: "x" } },
      },
      one: {
        kind: {
          $case: "valueFromOneof",
          value: {
            parameterSelectors: [
              { producerSubtask: "skipped", outputParameterKey: "x" },
              { producerSubtask: "b", outputParameterKey: "x" },
              { producerSubtask: "a", outputParameterKey: "x" },
            ],
          },
        },
      },
      empty: {},
    },
    artifacts: {
      model: {
        artifactSelectors: [
          { producerSubtask: "skipped", outputArtifactKey: "m" },
          { producerSubtask: "b", outputArtifactKey: "m" },
        ],
      },
      gone: { artifactSelectors: [{ producerSubtask: "a", outputArtifactKey: "nope" }] },
    },
  },
});
const outputs = new Map<string, TaskOutputs>([
  ["a", { parameters: { x: null }, artifacts: {} }],
  ["b", { parameters: { x: 2 }, artifacts: { m: list("b") } }],
]);

test("outputs are followed to the tasks that made them; those that did not run are left out", () => {
  expect(resolveDagOutputs(dag, outputs)).toEqual({
    ok: true,
    value: { parameters: { plain: null, one: 2 }, artifacts: { model: list("b") } },
    problems: [],
  });
});

test("by the specification only one branch may have a value", () => {
  expect(resolveDagOutputs(dag, outputs, { profile: "spec" })).toMatchObject({
    ok: false,
    problems: [
      {
        code: "one-of",
        path: "/outputs/parameters/one",
        message: "output one: 2 branches have given a value, at most one may (b, a)",
      },
    ],
  });
});

test("a one-of of which no branch has given a value fails, as on the back end; an ordinary output is left out", () => {
  const onlyA = new Map<string, TaskOutputs>([["a", { parameters: {}, artifacts: {} }]]);
  expect(resolveDagOutputs(dag, onlyA)).toMatchObject({
    ok: false,
    problems: [
      {
        code: "one-of",
        path: "/outputs/parameters/one",
        message: "output one: none of its branches has finished with a value (skipped, b, a)",
      },
      {
        code: "one-of",
        path: "/outputs/artifacts/model",
        message: "output model: none of its branches has finished with a value (skipped, b)",
      },
    ],
  });
});

test("a DAG without outputs has none", () => {
  expect(resolveDagOutputs(DagSpec.create(), new Map())).toMatchObject({
    value: { parameters: {}, artifacts: {} },
  });
});

test.each([
  [5, "t0, t1, t2, t3, t4"],
  [6, "t0, t1, t2, t3, t4, …"],
])("of %i branches the first five are named", (count, names) => {
  const tasks = Array.from({ length: count }, (_, i) => `t${i}`);
  const parameterSelectors = tasks.map((producerSubtask) => ({ producerSubtask, outputParameterKey: "x" }));
  const artifactSelectors = tasks.map((producerSubtask) => ({ producerSubtask, outputArtifactKey: "m" }));
  const many = DagSpec.create({
    outputs: {
      parameters: { one: { kind: { $case: "valueFromOneof", value: { parameterSelectors } } } },
      artifacts: { model: { artifactSelectors } },
    },
  });
  const all = new Map(tasks.map((task) => [task, { parameters: { x: 1 }, artifacts: { m: list(task) } }]));
  const messages = (given: Parameters<typeof resolveDagOutputs>[1]) =>
    resolveDagOutputs(many, given, { profile: "spec" }).problems.map(({ message }) => message);
  const several = `${count} branches have given a value, at most one may (${names})`;
  expect(messages(all)).toEqual([`output one: ${several}`, `output model: ${several}`]);
  const none = `none of its branches has finished with a value (${names})`;
  expect(messages(new Map())).toEqual([`output one: ${none}`, `output model: ${none}`]);
});
