import { type PipelineGraph, pathFromPointer, pointer, reachableComponents } from "@wye/pipeline-spec";

/** What a run never comes to. */
export interface Unreached {
  /** True for a place in a component or executor that no run comes to. */
  has(at: string): boolean;
}

const nothing: Unreached = { has: () => false };

/**
 * The components that no task on the way from the root runs, and their executors: the back end looks at none of them. Empty as
 * long as something on that way cannot be found, which may well be one of them under a misspelt name.
 */
export function unreached(graph: PipelineGraph): Unreached {
  const { root, executors } = graph;
  if (root === undefined) return nothing;
  const reached = reachableComponents(graph);
  for (const { tasks, spec, executor } of reached) {
    if (spec.implementation?.$case === "executorLabel" && executor === undefined) return nothing;
    for (const { component } of tasks?.values() ?? []) if (component === undefined) return nothing;
  }
  const used = new Set(executors.filter(({ components }) => components.some((one) => reached.has(one))));
  const owners = new Set<string>();
  for (const component of graph.components) if (!reached.has(component)) owners.add(component.path);
  for (const executor of executors) if (!used.has(executor)) owners.add(executor.path);
  return { has: (at) => owners.size > 0 && owners.has(ownerOf(at)) };
}

/** The component or executor that a place is in, whose settings on a platform are a part of it. */
function ownerOf(at: string): string {
  const path = pathFromPointer(at);
  const [top, second, third, fourth, label = ""] = path;
  if (top === "components") return pointer("/components", second ?? "");
  if (top === "deploymentSpec") return pointer("/deploymentSpec/executors", third ?? "");
  const isSetting = top === "platforms" && third === "deploymentSpec" && fourth === "executors";
  return isSetting ? pointer("/deploymentSpec/executors", label) : "";
}
