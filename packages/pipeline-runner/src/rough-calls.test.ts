import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { PipelineRunError, resumeRun, startRun, type TaskReport } from "./index.js";

// What programs without types, damaged files and odd names do to the state machine.

function pipelineOf(tasks: object): Pipeline {
  const json = {
    pipelineInfo: { name: "rough" },
    root: { dag: { tasks } },
    components: {
      leaf: {
        executorLabel: "exec",
        outputDefinitions: {
          parameters: { out: { parameterType: "STRUCT" } },
          artifacts: { data: { artifactType: { schemaTitle: "system.Artifact" } } },
        },
      },
    },
    deploymentSpec: { executors: { exec: { container: { image: "alpine", command: ["true"] } } } },
  };
  const parsed = parsePipeline(JSON.stringify(json));
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}
const leaf = (more: object = {}) => ({ componentRef: { name: "leaf" }, ...more });
const start = (tasks: object = { a: leaf() }, options = {}) => startRun(pipelineOf(tasks), options);

describe("reports", () => {
  test.each<[string, unknown, string]>([
    ["outputs are null", { state: "SUCCEEDED", outputs: null }, "its outputs are an object, not null"],
    [
      "parameters are null",
      { state: "SUCCEEDED", outputs: { parameters: null } },
      "the parameters among its outputs",
    ],
    [
      "an output is a date",
      { state: "SUCCEEDED", outputs: { parameters: { out: new Date(0) } } },
      "it holds a Date",
    ],
    [
      "an output holds a map",
      { state: "SUCCEEDED", outputs: { parameters: { out: { deep: [new Map()] } } } },
      "it holds a Map",
    ],
    [
      "an artifact is none",
      { state: "SUCCEEDED", outputs: { artifacts: { data: { artifacts: [null] } } } },
      "each with a uri",
    ],
    [
      "an error has a code that is no number",
      { state: "FAILED", error: { message: "", code: Number.NaN } },
      "the code of an error is a number",
    ],
  ])("are refused when %s", (_, report, message) => {
    const run = start();
    // Programs without types hand in anything.
    const refused = () => run.report("a", report as TaskReport);
    expect(refused).toThrow(PipelineRunError);
    expect(refused).toThrow(message);
    expect(run.ready().map(({ id }) => id)).toEqual(["a"]);
  });

  test("are kept as they were, whatever becomes of the object", () => {
    const run = start();
    const out = { list: [1] };
    run.report("a", { state: "SUCCEEDED", outputs: { parameters: { out } } });
    out.list.push(2);
    expect(run.task("a")?.outputs?.parameters).toEqual({ out: { list: [1] } });
    expect(run.snapshot().commands).toMatchObject([
      { report: { outputs: { parameters: { out: { list: [1] } } } } },
    ]);
  });
});

test.each<readonly [what: string, change: (error: { message: string; code?: number }) => void]>([
  ["its message", (error) => (error.message = "later")],
  ["its code", (error) => (error.code = 9)],
  ["a code that is taken away", (error) => delete error.code],
])("an error stays as it was, whatever becomes of the object: %s", (_, change) => {
  const said = { message: "then", code: 3 };
  const error = { ...said };
  const report = { state: "FAILED", error } as const;
  const run = start({ a: leaf({ retryPolicy: { maxRetryCount: 1 } }) });
  for (const attempt of [1, 2]) {
    Object.assign(error, said);
    run.report("a", report);
    change(error);
    expect(run.task("a")?.attempts).toBe(attempt);
  }
  expect(run.task("a")).toMatchObject({ state: "FAILED", error: said, reason: "then" });
  expect(run.error).toMatchObject({ message: expect.stringContaining("then"), code: 3 });
  const { commands } = run.snapshot();
  expect(commands.map((command) => command.kind === "report" && command.report)).toEqual([
    { state: "FAILED", error: said },
    { state: "FAILED", error: said },
  ]);
});

describe("an attempt that is lost", () => {
  test("while the run is being cancelled does not begin again", () => {
    const run = start();
    run.report("a", { state: "RUNNING" });
    run.cancel();
    run.report("a", { state: "QUEUED" });
    expect(run.ready()).toEqual([]);
    expect([run.task("a")?.state, run.state]).toEqual(["CANCELLED", "CANCELLED"]);
  });
});

describe("names", () => {
  test("with slashes, brackets, without characters, and of the prototype are names", () => {
    const names = ["a/b", "a[0]", "", "__proto__", "constructor", "%"];
    const run = start(Object.fromEntries(names.map((name) => [name, leaf()])));
    const ready = run.ready();
    expect(ready.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(new Set(ready.map(({ id }) => id)).size).toBe(names.length);
    expect(run.task("")).toBeUndefined();
    for (const { id } of ready) run.report(id, { state: "SUCCEEDED" });
    expect(run.state).toBe("SUCCEEDED");
  });
});

describe("what a run is started with", () => {
  test.each<[string, object]>([
    ["a moment that is none", { at: Number.NaN }],
    ["facts that are no JSON", { facts: { pipeline_root: () => "" } }],
    ["a name that is no text", { runId: 3 }],
    ["a root that is no text", { pipelineRoot: {} }],
    ["parameters that are a date", { parameters: { d: new Date(0) } }],
  ])("%s is a TypeError", (_, options) => expect(() => start(undefined, options)).toThrow(TypeError));
});

describe("snapshots", () => {
  const snapshot = start().snapshot();
  test.each<[string, object]>([
    ["a command that is null", { commands: [null] }],
    ["a command of another kind", { commands: [{ kind: "pause" }] }],
    ["a pipeline that is none", { pipeline: {} }],
    ["options of another version", { options: { parametres: {} } }],
  ])("with %s are refused as snapshots", (_, change) => {
    expect(() => resumeRun({ ...snapshot, ...change })).toThrow(
      expect.objectContaining({ name: "PipelineRunError", code: "snapshot" }),
    );
  });
});

test.each<[object, string]>([
  [{ reason: 5n }, 'the option "reason" of cancel is a text'],
  [{ reason: 5 }, 'the option "reason" of cancel is a text'],
  [{ at: Number.NaN }, 'the option "at" of cancel is a moment'],
])("a cancellation that would be no JSON is refused: %o", (options, message) => {
  const run = start();
  expect(() => run.cancel(options)).toThrow(TypeError);
  expect(() => run.cancel(options)).toThrow(message);
  expect(run.state).toBe("RUNNING");
  const snapshot = JSON.parse(JSON.stringify(run));
  const damaged = { ...snapshot, commands: [{ kind: "cancel", options: { reason: 5 } }] };
  expect(() => resumeRun(damaged)).toThrow("the snapshot cannot be followed at /commands/0");
});

test.each([{ limit: "x" }, { now: "x" }, { limit: Number.NaN }])("ready(%j) is refused", (options) => {
  // Programs without types hand in anything.
  expect(() => start().ready(options as object)).toThrow(TypeError);
});

test.each([["a text"], [undefined], [null], [[]], [{}], [{ ok: true, pipeline: {} }]])(
  "startRun(%j) is refused by its name",
  (pipeline) => {
    // Programs without types hand in anything.
    expect(() => startRun(pipeline as never)).toThrow(/^startRun takes a(n object as its)? pipeline/);
  },
);
