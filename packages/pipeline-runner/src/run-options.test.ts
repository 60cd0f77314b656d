import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type RunOptions, startRun } from "./index.js";
import { defaultLimits } from "./run-settings.js";

// What a run may be started with, and what it may not.

const artifactType = { schemaTitle: "system.Dataset" };

function pipelineOf(more: object = {}): Pipeline {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "p" },
      root: {
        inputDefinitions: {
          parameters: { n: { parameterType: "NUMBER_INTEGER", isOptional: true } },
          artifacts: { data: { artifactType, isOptional: true } },
        },
        dag: { tasks: { a: { componentRef: { name: "leaf" } } } },
      },
      components: { leaf: { executorLabel: "exec" } },
      deploymentSpec: { executors: { exec: { container: { image: "alpine" } } } },
      ...more,
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
}

// Programs without types hand in anything.
const start = (options: object) => startRun(pipelineOf(), options as RunOptions);

test.each<[object]>([
  [{ profile: "kfp", afterFailure: "continue" }],
  [{ profile: "spec", afterFailure: "stop" }],
  [{ runId: "", pipelineRoot: "", at: -1, facts: {} }],
  [{ runtimeConfig: {} }],
  [{ runtimeConfig: { parameters: {}, parameterValues: { n: 1 }, gcsOutputDirectory: "gs://a" } }],
  [{ parameters: { n: 1 }, artifacts: { data: { artifacts: [{ uri: "gs://a" }] } } }],
  [{ parameters: undefined, artifacts: undefined, facts: undefined, limits: undefined, at: undefined }],
  [{ limits: { tasks: 1 } }],
  [{ limits: { depth: 1 } }],
])("a run is started with %j", (options) => {
  expect(start(options).state).toBe("RUNNING");
});

describe("a run is not started with", () => {
  const json = (name: string) => `the option "${name}" of startRun has to be JSON: `;
  test.each<[object, string]>([
    [{ profile: "other" }, '"profile"'],
    [{ afterFailure: "go" }, '"afterFailure"'],
    [{ limit: {} }, '"limit"'],
    [{ runId: 5 }, 'the option "runId" of startRun is a text, not the number 5'],
    [{ pipelineRoot: null }, 'the option "pipelineRoot" of startRun is a text, not null'],
    [{ at: Number.POSITIVE_INFINITY }, 'the option "at" of startRun is a moment in milliseconds'],
    [{ at: "now" }, 'the option "at" of startRun is a moment in milliseconds'],
    [{ facts: { a: Number.NaN } }, json("facts")],
    [{ parameters: { n: new Date(0) } }, json("parameters")],
    [{ parameters: [] }, '"parameters"'],
    [{ runtimeConfig: { parameterValues: { n: 1n } } }, json("runtimeConfig")],
    [{ runtimeConfig: { values: {} } }, "the runtimeConfig of startRun"],
    [{ runtimeConfig: { gcsOutputDirectory: 5 } }, "the runtimeConfig of startRun"],
    [{ runtimeConfig: { parameterValues: [] } }, "the runtimeConfig of startRun"],
    [{ runtimeConfig: { parameters: [] } }, "the runtimeConfig of startRun"],
    [{ runtimeConfig: {}, parameters: {} }, "startRun takes parameters or a runtimeConfig"],
    [{ limits: { tasks: 0 } }, 'the limit "tasks" of startRun is a whole number from 1'],
    [{ limits: { depth: 1.5 } }, 'the limit "depth" of startRun is a whole number from 1'],
    [{ limits: { tasks: 2 ** 53 } }, 'the limit "tasks" of startRun is a whole number from 1'],
    [{ limits: { task: 1 } }, 'startRun has no limit "task"; did you mean "tasks"?'],
    [{ limits: { memory: 1 } }, 'startRun has no limit "memory": it has tasks and depth'],
  ])("%o", (options, message) => {
    expect(() => start(options)).toThrow(TypeError);
    expect(() => start(options)).toThrow(message);
  });

  test.each([
    ["dat", "the pipeline has no input artifact dat; did you mean data?", "/artifacts/dat"],
    ["a/b", "the pipeline has no input artifact a/b", "/artifacts/a~1b"],
    ["toString", "the pipeline has no input artifact toString", "/artifacts/toString"],
  ])("an artifact that the pipeline does not take: %s", (name, message, path) => {
    const list = { artifacts: [] };
    expect(() => start({ artifacts: { data: list, [name]: list } })).toThrow(
      expect.objectContaining({
        code: "parameters",
        problems: [{ code: "undeclared", severity: "error", path, message }],
      }),
    );
  });
});

describe("the folder of a run is", () => {
  const [option, config, file] = ["/option", "/config", "/file"];
  const said = { runtimeConfig: { gcsOutputDirectory: config } };
  test.each<[string, RunOptions, object, string]>([
    ["what the option says", { ...said, pipelineRoot: option }, { defaultPipelineRoot: file }, option],
    ["else what the configuration says", said, { defaultPipelineRoot: file }, config],
    ["else what the pipeline says", { pipelineRoot: "" }, { defaultPipelineRoot: file }, file],
    ["else the store that comes with Kubeflow", {}, {}, "minio://mlpipeline/v2/artifacts"],
  ])("%s", (_, options, pipeline, root) => {
    expect(startRun(pipelineOf(pipeline), options).facts.pipeline_root).toBe(root);
  });
});

test("placeholders are told of the run by its names, unless the host knows better", () => {
  const named = { pipelineInfo: { name: "p", displayName: "For people" } };
  expect(startRun(pipelineOf(named), { runId: "r" }).facts).toEqual({
    pipeline_job_name: "For people",
    pipeline_job_resource_name: "r",
    pipeline_job_uuid: "r",
    pipeline_root: "minio://mlpipeline/v2/artifacts",
  });
  expect(startRun(pipelineOf()).facts.pipeline_job_name).toBe("p");
  const facts = { pipeline_job_name: "mine", pipeline_job_create_time_utc: "now" };
  expect(startRun(pipelineOf({ pipelineInfo: {} }), { facts }).facts).toMatchObject({
    ...facts,
    pipeline_job_resource_name: "pipeline",
    pipeline_job_uuid: "pipeline",
  });
});

test("a run may have a million tasks, a hundred inside each other, unless the host says otherwise", () => {
  expect(defaultLimits).toEqual({ tasks: 1_000_000, depth: 100 });
});
