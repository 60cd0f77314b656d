import type { Dependency, DependencyKind, TaskNode } from "./pipeline-graph.js";

/** What a task waits for: the tasks that it lists, and those that its inputs and settings name. */
export function dependenciesOf(task: TaskNode): readonly Dependency[] {
  const dependencies: Dependency[] = [];
  const add = (kind: DependencyKind, to: TaskNode | undefined, at: string): void => {
    if (to !== undefined) dependencies.push({ kind, from: task, to, at });
  };
  for (const [position, name] of task.spec.dependentTasks.entries()) {
    add("order", task.parent.tasks?.get(name), `${task.path}/dependentTasks/${position}`);
  }
  for (const { source } of task.inputs) {
    if (source?.kind === "output") add("data", source.task, source.producerAt);
    else if (source?.kind === "status") add("status", source.task, source.producerAt);
  }
  for (const { source } of task.platformInputs) {
    if (source?.kind === "output") add("platform", source.task, source.producerAt);
  }
  return dependencies;
}
