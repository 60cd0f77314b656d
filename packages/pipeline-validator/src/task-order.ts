import type { PipelineGraph, TaskNode } from "@wye/pipeline-spec";

/** Steps that all questions of one validation may take together. */
const maxSteps = 500_000;

/** What the back end waits for: settings of the platform and final statuses make no task wait. */
export class TaskOrder {
  private steps = 0;

  /**
   * True when a task starts only after another one has ended. What would take too long to find out counts as true, so that
   * nothing is said of it.
   */
  isAfter(task: TaskNode, earlier: TaskNode): boolean {
    const reached = new Set([task]);
    // A set is iterated in the order of insertion, also over what is inserted on the way.
    for (const one of reached) {
      for (const { kind, to } of one.dependencies) {
        if (++this.steps > maxSteps) return true;
        if (kind !== "order" && kind !== "data") continue;
        if (to === earlier) return true;
        reached.add(to);
      }
    }
    return false;
  }
}

/** The order of the tasks of a pipeline. */
export const taskOrder = (_graph: PipelineGraph): TaskOrder => new TaskOrder();
