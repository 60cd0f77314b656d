import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { PipelineRunError, resumeRun, startRun } from "./index.js";

const pipelineSpec = {
  pipelineInfo: { name: "p" },
  schemaVersion: "2.1.0",
  root: {
    inputDefinitions: {
      parameters: {
        a: { parameterType: "NUMBER_INTEGER" },
        b: { parameterType: "STRING", defaultValue: "default" },
      },
    },
    dag: { tasks: { only: { componentRef: { name: "leaf" } } } },
  },
  components: { leaf: { executorLabel: "exec" } },
  deploymentSpec: { executors: { exec: { container: { image: "alpine" } } } },
};
const runFile = {
  run_id: "r",
  pipeline_spec: pipelineSpec,
  runtime_config: { parameters: { a: 1, b: "of the file" }, pipeline_root: "/of/the/file" },
};
const jobFile = {
  pipelineSpec,
  runtimeConfig: { parameterValues: { a: 1, b: "of the file" }, gcsOutputDirectory: "/of/the/file" },
};

function read(file: object) {
  const parsed = parsePipeline(JSON.stringify(file));
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
}

for (const [what, file] of Object.entries({ "a run of the API": runFile, "a job": jobFile })) {
  test(`${what} is started with what its file says`, () => {
    const run = startRun(read(file));
    expect(run.inputs.parameters).toEqual({ a: 1, b: "of the file" });
    expect(run.facts.pipeline_root).toBe("/of/the/file");
  });

  test(`${what} is started with other values where they are given`, () => {
    const some = startRun(read(file), { parameters: { a: 2 } });
    expect(some.inputs.parameters).toEqual({ a: 2, b: "of the file" });
    expect(some.facts.pipeline_root).toBe("/of/the/file");
    const all = startRun(read(file), { runtimeConfig: { parameterValues: { a: 3 } } });
    expect(all.inputs.parameters).toEqual({ a: 3, b: "default" });
    const root = startRun(read(file), { parameters: {}, pipelineRoot: "/mine" });
    expect(root.facts.pipeline_root).toBe("/mine");
  });

  test(`${what} is resumed with what it was started with, and nothing else`, () => {
    const snapshot = startRun(read(file), { parameters: { a: 2 } }).snapshot();
    expect(resumeRun(snapshot).inputs.parameters).toEqual({ a: 2, b: "of the file" });
    // As snapshots were before files had a say.
    const old = { ...snapshot, options: { parameters: { a: 4 } } };
    expect(resumeRun(old).inputs.parameters).toEqual({ a: 4, b: "default" });
  });
}

test("what neither the file nor the host gives is missed", () => {
  const { a, ...parameters } = runFile.runtime_config.parameters;
  const file = read({ ...runFile, runtime_config: { parameters } });
  expect(() => startRun(file)).toThrow(PipelineRunError);
  expect(startRun(file, { parameters: { a } }).inputs.parameters).toEqual({ a: 1, b: "of the file" });
});
