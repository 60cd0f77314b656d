import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pipeline } from "@wye/pipeline-spec";
import { bench, figures } from "../../../scripts/bench-harness.js";
import { startRun } from "../src/index.js";
import { functionExecutor, runPipeline } from "../src/node/index.js";
import { chain, loops, silent, wide } from "./many-tasks.js";

/** Runs a pipeline with the state machine alone, eight tasks at a time. */
function runAlone(pipeline: Pipeline): ReturnType<typeof startRun> {
  const run = startRun(pipeline);
  const outputs = { parameters: { y: 1 } };
  for (let ready = run.ready({ limit: 8 }); ready.length > 0; ready = run.ready({ limit: 8 })) {
    for (const { id } of ready) {
      run.report(id, { state: "RUNNING" });
      run.report(id, { state: "SUCCEEDED", outputs });
    }
  }
  if (run.state !== "SUCCEEDED") throw new Error(run.error?.message);
  return run;
}

/** What a run holds after it has ended, in bytes of the heap for each of its tasks. */
function bytesPerTask(pipeline: Pipeline): number {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const run = runAlone(pipeline);
  globalThis.gc?.();
  return (process.memoryUsage().heapUsed - before) / run.tasks.length;
}

const shapes = { "side by side": wide, "in a row": chain, "in loops": loops };
// Before anything else has left garbage.
for (const [name, make] of Object.entries(shapes)) {
  const pipeline = make(40_000);
  bytesPerTask(make(1000));
  figures(
    `memory of a run of 40,000 tasks ${name}`,
    { "per task": bytesPerTask(pipeline) },
    { unit: "bytes" },
  );
}

for (const [name, make] of Object.entries(shapes)) {
  const [small, large] = [make(1000), make(40_000)];
  runAlone(small);
  const manyTimes = () => {
    for (let time = 0; time < 40; time++) runAlone(small);
  };
  await bench(
    `the state machine: 40,000 tasks ${name}`,
    { "40,000 tasks, once": () => runAlone(large), "1,000 tasks, 40 times": manyTimes },
    { rounds: 3, note: "the same number of tasks: 1.0 is linear growth" },
  );
}

const pipelineRoot = mkdtempSync(join(tmpdir(), "wye-bench-"));
try {
  const executor = functionExecutor({ "comp-leaf": () => ({ y: 1 }) });
  const runAll = (pipeline: Pipeline) => runPipeline(pipeline, { pipelineRoot, executor, concurrency: 8 });
  for (const [name, make] of Object.entries(shapes)) {
    const [small, large] = [make(1000), make(10_000)];
    await bench(
      `10,000 tasks that are functions, ${name}, with folders, logs and a journal`,
      {
        "10,000 tasks, once": () => runAll(large),
        "1,000 tasks, ten times": async () => {
          for (let time = 0; time < 10; time++) await runAll(small);
        },
      },
      { rounds: 1, note: "the same number of tasks: 1.0 is linear growth" },
    );
    // Each task has a folder.
    rmSync(pipelineRoot, { recursive: true });
  }
  const programs = silent(50);
  await bench(
    "50 tasks that are processes, one after another",
    {
      runPipeline: () => runPipeline(programs, { pipelineRoot, concurrency: 1 }),
      "child_process alone": async () => {
        for (let i = 0; i < 50; i++) {
          await once(spawn("true", { stdio: ["ignore", "pipe", "pipe"] }), "close");
        }
      },
    },
    { rounds: 5, note: "the difference of wall times, divided by 50, is what a run adds to a task" },
  );
} finally {
  rmSync(pipelineRoot, { recursive: true, force: true });
}
