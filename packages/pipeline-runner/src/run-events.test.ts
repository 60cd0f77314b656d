import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { type PipelineRun, startRun } from "./index.js";
import { resumeWithout } from "./start-run.js";

const out = { parameters: { out: { parameterType: "STRING" } } };
const takesOut = {
  parameters: { in: { taskOutputParameter: { producerTask: "a", outputParameterKey: "out" } } },
};

function pipelineOf(tasks: object): Pipeline {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "events" },
      root: { dag: { tasks } },
      components: {
        leaf: { executorLabel: "exec", outputDefinitions: out },
        taker: {
          executorLabel: "exec",
          inputDefinitions: { parameters: { in: { parameterType: "STRING" } } },
        },
        group: { dag: { tasks: { c: leaf(), d: leaf({ dependentTasks: ["c"] }) } } },
      },
      deploymentSpec: { executors: { exec: { container: { image: "alpine" } } } },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
}
const leaf = (more: object = {}) => ({ componentRef: { name: "leaf" }, ...more });
const taker = { componentRef: { name: "taker" }, inputs: takesOut, dependentTasks: ["a"] };
const states = (run: PipelineRun) => run.tasks.map(({ id, state }) => `${id} ${state}`);

test("events are numbered, and tell moments, attempts, and how much is inside", () => {
  const items = { parameterIterator: { items: { raw: '["x", "y", "z"]' }, itemInput: "in" } };
  const run = startRun(
    pipelineOf({
      a: leaf({ retryPolicy: { maxRetryCount: 1 } }),
      g: { componentRef: { name: "group" } },
      l: { componentRef: { name: "taker" }, ...items, dependentTasks: ["a"] },
    }),
    { at: 5 },
  );
  run.report("a", { state: "RUNNING", at: 10 });
  run.report("a", { state: "FAILED", error: { message: "no" }, at: 20 });
  run.report("a", { state: "RUNNING", at: 30 });
  run.report("a", { state: "QUEUED", at: 40 });
  run.report("a", { state: "RUNNING" });
  run.report("a", { state: "SUCCEEDED", outputs: { parameters: { out: "x" } }, at: 60 });
  const told = run.events.map(({ number, at = "?", task, state, attempt, inside }) => {
    const more = [attempt && `attempt ${attempt}`, inside && `${inside} inside`].filter(Boolean);
    return [number, at, task, state, ...more].join(" ");
  });
  expect(told).toEqual([
    "1 5 a QUEUED attempt 1",
    "2 5 g RUNNING 2 inside",
    "3 5 g/c QUEUED attempt 1",
    "4 10 a RUNNING attempt 1",
    "5 20 a QUEUED attempt 2",
    "6 30 a RUNNING attempt 2",
    "7 40 a QUEUED attempt 2",
    "8 ? a RUNNING attempt 2",
    "9 60 a SUCCEEDED",
    "10 60 l RUNNING 3 inside",
    "11 60 l[0] QUEUED attempt 1",
    "12 60 l[1] QUEUED attempt 1",
    "13 60 l[2] QUEUED attempt 1",
  ]);
  expect(run.task("a")).toMatchObject({ attempts: 2, startedAt: 10, endedAt: 60 });
  expect([run.task("g")?.attempts, run.task("l")?.attempts]).toEqual([1, 1]);
});

test("what comes from a cache was never begun, and is handed on", () => {
  const run = startRun(pipelineOf({ a: leaf(), b: taker }));
  run.report("a", { state: "SUCCEEDED", cached: true, outputs: { parameters: { out: "x" } } });
  expect(run.task("a")).toMatchObject({ state: "SUCCEEDED", cached: true, attempts: 0 });
  expect(run.task("a")?.reason).toBe("the result was found in the cache");
  expect(run.task("b")).toMatchObject({ state: "QUEUED", inputs: { parameters: { in: "x" } } });
  expect(run.task("b")).not.toHaveProperty("cached", true);
  expect(run.ready().map(({ id }) => id)).toEqual(["b"]);
});

test("a task that names another twice waits for it once, and starts once", () => {
  const run = startRun(pipelineOf({ a: leaf(), b: { ...taker, dependentTasks: ["a", "a"] } }));
  expect(states(run)).toEqual(["a QUEUED", "b PENDING"]);
  run.report("a", { state: "SUCCEEDED", outputs: { parameters: { out: "x" } } });
  expect(run.events.filter(({ task, state }) => task === "b" && state === "QUEUED")).toHaveLength(1);
});

test("a run resumed without a task is cancelled as it was, and does not know what came after", () => {
  const run = startRun(pipelineOf({ a: leaf(), b: taker, c: leaf() }));
  run.report("c", { state: "SUCCEEDED" });
  run.report("a", { state: "SUCCEEDED", outputs: { parameters: { out: "x" } } });
  run.report("b", { state: "SUCCEEDED" });
  const without = resumeWithout(run.snapshot(), new Set(["a"]));
  expect([without.state, ...states(without)]).toEqual(["RUNNING", "a QUEUED", "b PENDING", "c SUCCEEDED"]);

  const cancelled = startRun(pipelineOf({ a: leaf(), b: taker }));
  cancelled.report("a", { state: "RUNNING" });
  cancelled.cancel({ reason: "enough" });
  const again = resumeWithout(cancelled.snapshot(), new Set());
  expect(again.state).toBe("CANCELLING");
  expect(again.task("b")).toMatchObject({ state: "CANCELLED", reason: "enough" });
});

test("a run resumed without what a task has made keeps its attempts that failed", () => {
  const run = startRun(pipelineOf({ a: leaf({ retryPolicy: { maxRetryCount: 1 } }) }));
  run.report("a", { state: "RUNNING" });
  run.report("a", { state: "FAILED", error: { message: "no" } });
  run.report("a", { state: "RUNNING" });
  run.report("a", { state: "SUCCEEDED" });
  const without = resumeWithout(run.snapshot(), new Set(["a"]));
  expect(without.task("a")).toMatchObject({ state: "RUNNING", attempts: 2 });
});

test("the key of a cache does not depend on the order in which something is said of an artifact", () => {
  const artifacts = { artifacts: { data: { artifactType: { schemaTitle: "system.Dataset" } } } };
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "keys" },
      root: {
        inputDefinitions: artifacts,
        dag: {
          tasks: {
            a: {
              componentRef: { name: "leaf" },
              cachingOptions: { enableCache: true },
              inputs: { artifacts: { data: { componentInputArtifact: "data" } } },
            },
          },
        },
      },
      components: { leaf: { executorLabel: "exec", inputDefinitions: artifacts } },
      deploymentSpec: { executors: { exec: { container: { image: "alpine" } } } },
    }),
  );
  const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
  const keyOf = (metadata: object) => {
    const data = { artifacts: [{ uri: "u", metadata: { ...metadata } }] };
    const [ready] = startRun(pipeline, { artifacts: { data } as never }).ready();
    return ready?.kind === "container" ? ready.cacheKey : expect.unreachable("it is a container");
  };
  const key = keyOf({ x: 1, y: { z: 2, w: 3 } });
  expect(key).toMatch(/./);
  expect(keyOf({ y: { w: 3, z: 2 }, x: 1 })).toBe(key);
  expect(keyOf({ y: { w: 3, z: 2 }, x: 2 })).not.toBe(key);
  expect(keyOf({ y: { w: 4, z: 2 }, x: 1 })).not.toBe(key);
});
