import { checkGraph } from "./check-node.js";
import type { ComponentNode, PipelineGraph } from "./pipeline-graph.js";

/** The components that a run can come to: the root, and what the tasks of reached DAGs run. */
export function reachableComponents(graph: PipelineGraph): ReadonlySet<ComponentNode> {
  checkGraph("reachableComponents", graph);
  const { root } = graph;
  return below(root === undefined ? [] : [root]);
}

/** Components that run once per item: those of tasks with an iterator, and all below them. */
export function loopedComponents(graph: PipelineGraph): ReadonlySet<ComponentNode> {
  checkGraph("loopedComponents", graph);
  const { tasks } = graph;
  const bodies = tasks.filter(({ spec }) => spec.iterator !== undefined);
  return below(bodies.flatMap(({ component }) => component ?? []));
}

function below(from: readonly ComponentNode[]): ReadonlySet<ComponentNode> {
  const found = new Set(from);
  // A set is iterated in the order of insertion, also over what is inserted on the way.
  for (const component of found) {
    for (const { component: next } of component.tasks?.values() ?? []) {
      if (next !== undefined) found.add(next);
    }
  }
  return found;
}
