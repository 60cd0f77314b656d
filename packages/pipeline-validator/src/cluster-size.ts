import { type PipelineGraph, reachableComponents } from "@wye/pipeline-spec";
import { containerOutline, programLength } from "./container-outline.js";
import { containers } from "./containers.js";
import type { Finding } from "./rule.js";

/** As much as an object may weigh in the store of a usual cluster. */
const mostBytes = 1_500_000;

/** Of each task the workflow has a step for its driver and one for what it does, with what they hand to each other. */
const leastOfTask = 600;

/** Tells of a pipeline whose workflow is larger than a usual cluster takes, by what is in it for certain. */
export function tooLargeForCluster(graph: PipelineGraph): Finding | undefined {
  const least = leastSize(graph);
  if (least <= mostBytes) return undefined;
  const message = `the workflow that the back end makes of it weighs at least ${(least / 1e6).toFixed(1)} MB, and the store of a usual cluster takes 1.5 MB`;
  const hint =
    "put repeated tasks into a loop or a component of their own, and long programs into images; or divide the pipeline";
  return { at: "", message, hint };
}

function leastSize(graph: PipelineGraph): number {
  const reached = graph.once(reachableComponents);
  let size = 0;
  for (const { tasks } of reached) size += (tasks?.size ?? 0) * leastOfTask;
  // Equal programs are in it once.
  const seen = new Set<string>();
  for (const { spec, executor } of graph.once(containers)) {
    const outline = containerOutline(spec);
    if (seen.has(outline) || !executor.components.some((component) => reached.has(component))) continue;
    seen.add(outline);
    size += programLength(spec);
  }
  return size;
}
