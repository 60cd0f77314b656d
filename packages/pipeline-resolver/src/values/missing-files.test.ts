import { ComponentSpec } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { buildExecutorInput, collectOutputs } from "../index.js";

const component = ComponentSpec.create({
  outputDefinitions: { parameters: { here: { parameterType: 2 }, gone: { parameterType: 3 } } },
});
const inputs = { parameters: {}, artifacts: {}, defaulted: [] };
const executorInput = buildExecutorInput(component, inputs, { artifactUri: (key) => `gs://b/${key}` });
const parameterFile = (key: string) => (key === "here" ? "42" : undefined);

test("a file that is missing is no output where it may be absent", () => {
  const results = { executorOutput: undefined, parameterFile };
  const collected = collectOutputs(component, executorInput, results, { missingFile: "absent" });
  expect(collected).toEqual({ ok: true, value: { parameters: { here: 42 }, artifacts: {} }, problems: [] });
});

test.each([[{}], [{ missingFile: "error" as const }]])("and is an error otherwise: %j", (options) => {
  const results = { executorOutput: undefined, parameterFile };
  const { ok, problems } = collectOutputs(component, executorInput, results, options);
  expect([ok, problems.map(({ message }) => message)]).toEqual([
    false,
    ["the task has not written its output parameter gone"],
  ]);
});
