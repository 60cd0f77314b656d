import type { RunTask } from "./run-task.js";

const order = ["SUCCEEDED", "FAILED", "SKIPPED", "CANCELLED", "RUNNING", "QUEUED", "PENDING"] as const;

/** How many tasks are in which state, for people; DAGs and loops do not count. */
export function countStates(tasks: readonly Pick<RunTask, "kind" | "state">[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { kind, state } of tasks)
    if (kind !== "dag" && kind !== "loop") counts.set(state, (counts.get(state) ?? 0) + 1);
  return order.flatMap((state) => {
    const count = counts.get(state);
    return count === undefined ? [] : [`${count} ${state.toLowerCase()}`];
  });
}
