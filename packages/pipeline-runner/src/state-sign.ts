import type { RunState, TaskState } from "./task-state.js";

const signs: Readonly<Record<TaskState | RunState, string>> = {
  PENDING: "·",
  QUEUED: "·",
  RUNNING: ">",
  SUCCEEDED: "✓",
  FAILED: "✗",
  SKIPPED: "-",
  CANCELLED: "×",
  CANCELLING: "×",
};

/** One character that tells a state without a colour. */
export function signOf(state: TaskState | RunState): string {
  return signs[state];
}
