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
