import { existsSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { type Executor, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

// What is told of a run that has ended.

test("a task has the log of its last attempt, and none when it has not begun", async () => {
  const task = { retryPolicy: { maxRetryCount: 2 } };
  const pipeline = shellPipeline({
    twice: { run: "", task },
    bad: { run: "", after: ["twice"] },
    never: { run: "", after: ["bad"] },
  });
  const executor: Executor = {
    execute: async ({ task: { id, attempt } }, { log }) => {
      log(`${id} ${attempt}`);
      return { ok: id === "twice" && attempt === 2, message: "no" };
    },
  };
  const { tasks } = await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
  const said = tasks.map(({ name, log }) => [name, log && basename(log), log && readFileSync(log, "utf8")]);
  expect(said).toEqual([
    ["twice", "log-2.txt", "twice 2"],
    ["bad", "log-1.txt", "bad 1"],
    ["never", undefined, undefined],
  ]);
  expect(tasks.map(({ folder }) => existsSync(folder))).toEqual([true, true, false]);
});

test("as many tasks run at once as the machine has processors, unless the host says otherwise", async () => {
  const processors = availableParallelism();
  const names = Array.from({ length: processors + 1 }, (_, at) => `t${at}`);
  let [running, most] = [0, 0];
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  const executor: Executor = {
    execute: async () => {
      most = Math.max(most, ++running);
      if (running === processors) open();
      await all;
      running--;
      return { ok: true };
    },
  };
  const pipeline = shellPipeline(Object.fromEntries(names.map((name) => [name, { run: "" }])));
  const { state } = await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
  expect([state, most]).toEqual(["SUCCEEDED", processors]);
});

test("outputs that the run refuses are no reason to try again", async () => {
  const task = { retryPolicy: { maxRetryCount: 2 } };
  const executor: Executor = { execute: async () => ({ ok: true, outputs: { parameters: { other: 1 } } }) };
  const options = { pipelineRoot: makeFolder(), executor };
  const { state, tasks } = await runPipeline(shellPipeline({ a: { run: "", task } }), options);
  expect([state, tasks[0]?.attempts, tasks[0]?.error?.message]).toEqual([
    "FAILED",
    1,
    'the report on a: the component declares no output parameter "other"',
  ]);
});

test("when a run cannot go on, what still works is told to end", async () => {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let toldToEnd = false;
  const executor: Executor = {
    execute: async ({ task: { id }, folder }, { signal }) => {
      if (id === "a") {
        await begun;
        rmSync(join(dirname(folder), "run.jsonl"));
        return { ok: true };
      }
      begin();
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve());
      });
      toldToEnd = true;
      return { ok: false, message: "stopped" };
    },
  };
  const options = { pipelineRoot: makeFolder(), executor, concurrency: 2 };
  const running = runPipeline(shellPipeline({ a: { run: "" }, b: { run: "" } }), options);
  await expect(running).rejects.toThrow("run.jsonl was removed");
  expect(toldToEnd).toBe(true);
});

test("what an executor does with what it is given is its own affair", async () => {
  const pipeline = shellPipeline({ a: { run: "", gives: true }, b: { run: "", takes: "a" } });
  const executor: Executor = {
    execute: async ({ task, executorInput, folder }) => {
      for (const given of [task.inputs.parameters, executorInput.inputs?.parameterValues])
        Object.assign(given ?? {}, { in: "changed" });
      return { ok: true, outputs: { parameters: folder.endsWith("a") ? { out: "as it was" } : {} } };
    },
  };
  const { state, tasks } = await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
  expect([state, tasks[1]?.inputs?.parameters]).toEqual(["SUCCEEDED", { in: "as it was" }]);
});

test.each([
  [
    "a resolver, where nothing looks for artifacts",
    { resolver: { outputArtifactQueries: {} } },
    "nothing looks for artifacts: give `resolve`",
  ],
  [
    "a custom job",
    { customJob: { customJob: { jobSpec: {} } } },
    "custom jobs run on the hosted platform only",
  ],
])("what cannot be done here is not tried again: %s", async (_, executor, message) => {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "p" },
      root: { dag: { tasks: { a: { componentRef: { name: "c" }, retryPolicy: { maxRetryCount: 2 } } } } },
      components: { c: { executorLabel: "e" } },
      deploymentSpec: { executors: { e: executor } },
    }),
  );
  const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
  const { state, tasks } = await runPipeline(pipeline, { pipelineRoot: makeFolder(), validate: false });
  expect([state, tasks.map(({ attempts, error }) => [attempts, error])]).toEqual([
    "FAILED",
    [[1, { message }]],
  ]);
});
