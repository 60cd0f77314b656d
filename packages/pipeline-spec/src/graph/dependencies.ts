import type { Dependency, DependencyKind, ProducerReference, TaskNode } from "./pipeline-graph.js";

/** What a task waits for: the tasks that it lists, and those that its inputs and settings name. */
export function dependenciesOf(task: TaskNode): readonly Dependency[] {
  const dependencies: Dependency[] = [];
  const add = (kind: DependencyKind, to: TaskNode | undefined, of: number | ProducerReference): void => {
    if (to !== undefined) dependencies.push(new TaskDependency(kind, task, to, of));
  };
  for (const [position, name] of task.spec.dependentTasks.entries()) {
    add("order", task.parent.tasks?.get(name), position);
  }
  for (const { source } of task.inputs) {
    if (source?.kind === "output") add("data", source.task, source);
    else if (source?.kind === "status") add("status", source.task, source);
  }
  for (const { source } of task.platformInputs) {
    if (source?.kind === "output") add("platform", source.task, source);
  }
  // A list that has grown has room for many more.
  return dependencies.slice();
}

class TaskDependency implements Dependency {
  readonly kind: DependencyKind;
  readonly from: TaskNode;
  readonly to: TaskNode;
  private readonly of: number | ProducerReference;

  /** @param of  what states it: a position among the tasks that are listed, or what is taken */
  constructor(kind: DependencyKind, from: TaskNode, to: TaskNode, of: number | ProducerReference) {
    this.kind = kind;
    this.from = from;
    this.to = to;
    this.of = of;
  }

  get at(): string {
    return typeof this.of === "number" ? `${this.from.path}/dependentTasks/${this.of}` : this.of.producerAt;
  }
}
