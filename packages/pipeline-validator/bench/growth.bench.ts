import { parsePipeline } from "@wye/pipeline-spec";
import { bench, figures } from "../../../scripts/bench-harness.js";
import { validatePipeline } from "../src/validate-pipeline.js";
import { syntheticPipeline } from "./synthetic-pipeline.js";

const parse = { maxTokens: 100_000_000, maxBytes: 2 ** 30 };
const held: Record<string, number> = {};
const speed: Record<string, number> = {};

/** Ten times the tasks should take ten times the time: each row runs the rules over the same number of tasks in all. */
function rounds(count: number, times: number): () => void {
  const text = syntheticPipeline(count);
  const before = memoryHeld();
  const cpuBefore = process.cpuUsage();
  const parsed = parsePipeline(text, parse);
  const { user, system } = process.cpuUsage(cpuBefore);
  if (!parsed.ok) throw new Error("the pipeline cannot be parsed");
  const { pipeline } = parsed;
  speed[`${count} tasks`] = text.length / (user + system);
  held[`${count} tasks`] = (memoryHeld() - before) / 2 ** 20;
  return () => {
    for (let time = 0; time < times; time++) validatePipeline(pipeline);
  };
}

/** Bytes inside and outside of the heap, without garbage. */
function memoryHeld(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const contenders = {
  "500 tasks, 100 times": rounds(500, 100),
  "5,000 tasks, 10 times": rounds(5_000, 10),
  "50,000 tasks, once": rounds(50_000, 1),
};
figures("memory that a parsed pipeline holds, beside its text", held, { unit: "MiB" });
figures("reading a pipeline for the first time", speed, { unit: "MB/s" });
await bench("rules over 50,000 tasks in all", contenders, { baseline: "500 tasks, 100 times", rounds: 3 });
