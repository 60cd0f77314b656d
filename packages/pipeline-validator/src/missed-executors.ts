import { buildGraph, type Pipeline } from "@wye/pipeline-spec";
import { unreached } from "./unreached.js";

/** The labels of the executors that are not there, although a run may come to the components that name them. */
export function missedExecutors(
  pipeline: Pick<Pipeline, "spec" | "deployment" | "platform">,
): ReadonlySet<string> {
  const graph = buildGraph(pipeline);
  const labels = new Set<string>();
  for (const { path, spec, executor } of graph.components) {
    if (spec.implementation?.$case !== "executorLabel" || executor !== undefined) continue;
    if (!graph.once(unreached).has(path)) labels.add(spec.implementation.value);
  }
  return labels;
}
