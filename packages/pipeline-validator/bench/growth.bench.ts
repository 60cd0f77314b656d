import { parsePipeline } from "@wye/pipeline-spec";
import { bench } from "../../../scripts/bench-harness.js";
import { validatePipeline } from "../src/validate-pipeline.js";
import { syntheticPipeline } from "./synthetic-pipeline.js";

const parse = { maxTokens: 100_000_000, maxBytes: 2 ** 30 };

/** Ten times the tasks should take ten times the time: each row runs the rules over the same number of tasks in all. */
function rounds(count: number, times: number): () => void {
  const before = process.memoryUsage().heapUsed;
  const parsed = parsePipeline(syntheticPipeline(count), parse);
  if (!parsed.ok) throw new Error("the pipeline cannot be parsed");
  const { pipeline } = parsed;
  const heap = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  memory.push(`${count} tasks hold about ${heap.toFixed(0)} MiB parsed`);
  return () => {
    for (let time = 0; time < times; time++) validatePipeline(pipeline);
  };
}

const memory: string[] = [];
const contenders = {
  "500 tasks, 100 times": rounds(500, 100),
  "5,000 tasks, 10 times": rounds(5_000, 10),
  "50,000 tasks, once": rounds(50_000, 1),
};
await bench("rules over 50,000 tasks in all", contenders, {
  baseline: "500 tasks, 100 times",
  rounds: 3,
  note: memory.join("; "),
});
