import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type RunOptions, startRun } from "./index.js";

// What a host is told of a task that may start.

const type = { schemaTitle: "system.Artifact" };
const outputDefinitions = {
  parameters: { size: { parameterType: "NUMBER_INTEGER" } },
  artifacts: { data: { artifactType: type } },
};

function pipelineOf(executor: object, task: object = {}): Pipeline {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "told" },
      root: { dag: { tasks: { a: { componentRef: { name: "comp-a" }, ...task } } } },
      components: {
        "comp-a": {
          executorLabel: "exec",
          inputDefinitions: { parameters: { item: { parameterType: "NUMBER_INTEGER", isOptional: true } } },
          outputDefinitions,
        },
      },
      deploymentSpec: { executors: { exec: executor } },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
}

const container = { container: { image: "alpine", command: ["true"] } };
const importer = { importer: { artifactUri: { constant: "gs://b/c" }, typeSchema: type } };
const readyOf = (pipeline: Pipeline, options: RunOptions = {}) => startRun(pipeline, options).ready();

test("outputs go below the root of the run, each to its own place", () => {
  const shown = pipelineOf(container, { taskInfo: { name: "Shown" } });
  const [task] = readyOf(shown, { pipelineRoot: "gs://root/?x=1", runId: "r" });
  expect(task?.executorInput.outputs).toMatchObject({
    artifacts: { data: { artifacts: [{ uri: "gs://root/told/r/a/a/data" }] } },
  });
  const parameterIterator = { items: { raw: "[1, 2]" }, itemInput: "item" };
  const iterations = readyOf(pipelineOf(container, { parameterIterator }), {
    pipelineRoot: "/r",
    runId: "r",
  });
  const places = iterations.map(
    ({ executorInput: { outputs } }) => outputs?.artifacts.data?.artifacts[0]?.uri,
  );
  expect(places).toEqual([0, 1].map((index) => `/r/told/r/a/a%5B${index}%5D/data`));
});

describe("a task is told of as what it is:", () => {
  test.each<[string, object, object]>([
    ["a container", container, { kind: "container", container: { image: "alpine", command: ["true"] } }],
    [
      "an importer",
      importer,
      {
        kind: "importer",
        outputs: { artifacts: { data: { artifacts: [{ uri: "gs://b/c" }] } } },
        reimport: false,
        downloadToWorkspace: false,
      },
    ],
    [
      "an importer of what is on this machine",
      { importer: { ...importer.importer, artifactUri: { constant: "/data/c" } } },
      { kind: "importer", outputs: { artifacts: { data: { artifacts: [{ uri: "/data/c" }] } } } },
    ],
    [
      "an importer that imports anew",
      { importer: { ...importer.importer, reimport: true } },
      { kind: "importer", reimport: true, downloadToWorkspace: false },
    ],
    [
      "an importer into the workspace",
      { importer: { ...importer.importer, downloadToWorkspace: true } },
      { kind: "importer", reimport: false, downloadToWorkspace: true },
    ],
    [
      "a resolver",
      { resolver: { outputArtifactQueries: { data: { filter: 'name="d"' } } } },
      { kind: "resolver", resolver: { outputArtifactQueries: { data: { filter: 'name="d"' } } } },
    ],
    [
      "a custom job",
      { customJob: { customJob: { jobSpec: {} } } },
      { kind: "custom-job", customJob: { customJob: { jobSpec: {} } } },
    ],
  ])("%s", (_, executor, told) => {
    const taskInfo = { name: "For people" };
    const place = { id: "a", name: "a", displayName: "For people", component: "comp-a" };
    const run = startRun(pipelineOf(executor, { taskInfo }));
    const [task, ...others] = run.ready();
    expect(task).toMatchObject({ ...place, attempt: 1, notBefore: 0, ...told });
    expect(run.task("a")?.kind).toBe(task?.kind);
    expect(task?.definition.outputDefinitions?.artifacts).toHaveProperty("data");
    expect(others).toEqual([]);
  });
});

test("iterations are called what their loop is called", () => {
  const parameterIterator = { items: { raw: "[1, 2]" }, itemInput: "item" };
  const loop = pipelineOf(container, { parameterIterator, taskInfo: { name: "For people" } });
  const names = readyOf(loop).map(({ id, name, displayName }) => [id, name, displayName]);
  expect(names).toEqual([
    ["a[0]", "a", "For people"],
    ["a[1]", "a", "For people"],
  ]);
});

test("a task without a name for people has its own", () => {
  const [task] = readyOf(pipelineOf(container, { taskInfo: { name: "" } }));
  expect(task?.displayName).toBe("a");
});

test("who asks twice is told the same, without making it again", () => {
  const run = startRun(pipelineOf(container));
  const [[first], [second]] = [run.ready(), run.ready()];
  expect(first).toBeDefined();
  expect(second).toBe(first);
});

test("of a named key it is said that it stands for all that the task is given", () => {
  const told = (cachingOptions: object) => {
    const [task] = readyOf(pipelineOf(container, { cachingOptions }));
    return task?.kind === "container" && [typeof task.cacheKey, task.isKeyNamed];
  };
  expect([
    told({}),
    told({ cacheKey: "mine" }),
    told({ enableCache: true }),
    told({ enableCache: true, cacheKey: "mine" }),
  ]).toEqual([
    ["undefined", undefined],
    ["undefined", undefined],
    ["string", undefined],
    ["string", true],
  ]);
});

test.each([
  [{ limit: "5" }, 'the option "limit" of ready is a number, not the text "5"'],
  [{ limit: 1, now: null }, 'the option "now" of ready is a number, not null'],
  [{ now: Number.NaN }, 'the option "now" of ready is a number, not the number NaN'],
])("who asks with %j is told what is wrong", (options, message) => {
  const run = startRun(pipelineOf(container));
  expect(() => run.ready(options as never)).toThrow(new TypeError(message));
});
