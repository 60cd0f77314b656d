import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { syntheticPipeline } from "../bench/synthetic-pipeline.js";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Bytes inside and outside of the heap, without garbage. */
function held(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test("a pipeline holds less than 200 MiB for 50,000 tasks, beside its text", () => {
  // What is compiled and kept at the first time is no part of it.
  parsePipeline(syntheticPipeline(100));
  const tasks = 5_000;
  const text = syntheticPipeline(tasks);
  const before = held();
  const result = parsePipeline(text, { maxTokens: 100_000_000 });
  const bytes = (held() - before) / tasks;
  expect(result.ok).toBe(true);
  expect(bytes * 50_000).toBeLessThan(200 * 2 ** 20);
});
