import { expect, test } from "vitest";
import { configFromFile, parsePipeline } from "./index.js";

const pipelineSpec = { pipelineInfo: { name: "p" }, schemaVersion: "2.1.0", root: { dag: { tasks: {} } } };
const none = { parameterValues: {}, gcsOutputDirectory: "" };

const files: readonly (readonly [what: string, file: object, config: object])[] = [
  ["a specification", pipelineSpec, none],
  [
    "a run",
    {
      run_id: "r",
      pipeline_spec: pipelineSpec,
      runtime_config: { parameters: { a: [1] }, pipeline_root: "s3://b" },
    },
    { parameterValues: { a: [1] }, gcsOutputDirectory: "s3://b" },
  ],
  ["a run that says nothing", { run_id: "r", pipeline_spec: pipelineSpec }, none],
  [
    "a job, whose old values are plain and give way to the new ones",
    {
      pipelineSpec,
      runtimeConfig: {
        parameters: { a: { intValue: "1" }, b: { stringValue: "x" } },
        parameterValues: { b: "y", c: null },
        gcsOutputDirectory: "gs://b",
      },
    },
    { parameterValues: { a: 1, b: "y", c: null }, gcsOutputDirectory: "gs://b" },
  ],
  ["a job that says nothing", { displayName: "j", pipelineSpec, runtimeConfig: null }, none],
];

for (const [what, file, config] of files) {
  test(what, () => {
    const parsed = parsePipeline(JSON.stringify(file), { deprecations: false });
    if (!parsed.ok) expect.unreachable(JSON.stringify(parsed.problems));
    expect(configFromFile(parsed.pipeline)).toEqual(config);
  });
}
