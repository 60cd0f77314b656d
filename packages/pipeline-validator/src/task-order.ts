import type { PipelineGraph, TaskNode } from "@wye/pipeline-spec";

/** Steps that all questions of one validation may take together. */
const maxSteps = 500_000;

/** What a task waits for, as far as it was looked for. */
interface Search {
  readonly task: TaskNode;
  readonly found: Set<TaskNode>;
  /** Those of them whose own dependencies are still to be looked at: a set is iterated also over what is added on the way. */
  readonly open: Iterator<TaskNode>;
}

/** What the back end waits for: settings of the platform and final statuses make no task wait. */
export class TaskOrder {
  private steps = 0;
  /** Questions about one task come in a row. */
  private last: Search | undefined;

  /** True when so much was asked that no answer can be relied on any more, and it is better to say nothing. */
  get isSpent(): boolean {
    return this.steps > maxSteps;
  }

  /** Counts what is asked besides. */
  spend(steps: number): void {
    this.steps += steps;
  }

  /**
   * True when a task starts only after another one has ended. What would take too long to find out counts as true, so that
   * nothing is said of it.
   */
  isAfter(task: TaskNode, earlier: TaskNode): boolean {
    this.steps++;
    if (this.last?.task !== task) {
      const found = new Set<TaskNode>();
      this.last = { task, found, open: found.values() };
      this.lookAt(task, found);
    }
    const { found, open } = this.last;
    while (!found.has(earlier) && !this.isSpent) {
      const next = open.next();
      if (next.done) return false;
      this.lookAt(next.value, found);
    }
    return true;
  }

  private lookAt({ dependencies }: TaskNode, found: Set<TaskNode>): void {
    this.steps += dependencies.length;
    for (const { kind, to } of dependencies) if (kind === "order" || kind === "data") found.add(to);
  }
}

/** The order of the tasks of a pipeline. */
export const taskOrder = (_graph: PipelineGraph): TaskOrder => new TaskOrder();
