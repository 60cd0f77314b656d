import { parsePipeline, writeJson } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { makeVertexJob } from "../src/vertex/index.js";
import { helloPipeline } from "./recorded-world.js";

const root = { pipelineRoot: "gs://bucket/root" };

test("a job of a file goes to the root of its specification, before that which the job says", async () => {
  const parsed = parsePipeline(helloPipeline);
  if (!parsed.ok) expect.unreachable();
  const spec = writeJson("PipelineSpec", parsed.pipeline.spec);
  const file = JSON.stringify({
    pipelineSpec: { ...spec, defaultPipelineRoot: "gs://of/specification" },
    runtimeConfig: { gcsOutputDirectory: "gs://of/job", parameterValues: {} },
  });
  const rootOf = async (more: object = {}) =>
    Object((await makeVertexJob({ file, ...more })).body.runtimeConfig).gcsOutputDirectory;
  expect([await rootOf(), await rootOf(root)]).toEqual(["gs://of/specification", root.pipelineRoot]);
});

test.each([
  ["1.9.9", "parameters"],
  ["2.0.0", "parameters"],
  ["2.0.1", "parameterValues"],
  ["2.1.0", "parameterValues"],
  ["", "parameterValues"],
])("a specification of version %j is given %s", async (version, member) => {
  const file = helloPipeline.replace(/schemaVersion: .*/, `schemaVersion: ${JSON.stringify(version)}`);
  const { body } = await makeVertexJob({ file, ...root, validate: false });
  expect(Object.keys(Object(body.runtimeConfig))).toContain(member);
});

test("a job that lacks a value is one when that is given", async () => {
  const file = JSON.stringify({
    pipelineSpec: {
      ...{ pipelineInfo: { name: "hello" }, schemaVersion: "2.1.0", sdkVersion: "kfp-2.0.0" },
      root: {
        inputDefinitions: { parameters: { n: { parameterType: "NUMBER_INTEGER" } } },
        dag: { tasks: { greet: { taskInfo: { name: "greet" }, componentRef: { name: "comp-greet" } } } },
      },
      components: { "comp-greet": { executorLabel: "exec-greet" } },
      deploymentSpec: {
        executors: { "exec-greet": { container: { image: "busybox", command: ["date"] } } },
      },
    },
    runtimeConfig: { parameterValues: {} },
  });
  const { body } = await makeVertexJob({ file, ...root, parameters: { n: 1 } });
  expect(body.runtimeConfig).toMatchObject({ parameterValues: { n: 1 } });
  await expect(makeVertexJob({ file, ...root })).rejects.toMatchObject({ code: "invalid_parameters" });
});
