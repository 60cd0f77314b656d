import { TriggerStrategy } from "@wye/pipeline-spec";
import type { TaskNode } from "./pipeline-index.js";
import { pointer } from "./pointer.js";

/** The inputs of a task that receive the final status of another. */
export function statusInputs(
  task: TaskNode,
): readonly { readonly name: string; readonly producer: string; readonly at: string }[] {
  return Object.entries(task.spec.inputs?.parameters ?? {}).flatMap(([name, { kind }]) => {
    if (kind?.$case !== "taskFinalStatus") return [];
    const at = pointer(`${task.path}/inputs/parameters`, name);
    return [{ name, producer: kind.value.producerTask, at }];
  });
}

/** True for a task that runs however its upstream tasks have ended. */
export function isExitTask({ spec }: TaskNode): boolean {
  return spec.triggerPolicy?.strategy === TriggerStrategy.ALL_UPSTREAM_TASKS_COMPLETED;
}
