/**
 * Where a task is. `PENDING` waits for others, `QUEUED` may start, `SKIPPED` never runs because its condition is false or because
 * of how the tasks before it ended. A result that came from a cache is `SUCCEEDED`, and says so.
 */
export type TaskState = "PENDING" | "QUEUED" | "RUNNING" | FinalTaskState;

/** How a task can end. */
export type FinalTaskState = "SUCCEEDED" | "FAILED" | "SKIPPED" | "CANCELLED";

/** Where a run is. `CANCELLING` waits for the tasks that were running when it was cancelled. */
export type RunState = "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";

const finalStates: ReadonlySet<string> = new Set<FinalTaskState>([
  "SUCCEEDED",
  "FAILED",
  "SKIPPED",
  "CANCELLED",
]);

/** True when nothing follows. */
export function isFinal(state: TaskState | RunState): state is FinalTaskState {
  return finalStates.has(state);
}
