import type { Execution } from "./execution.js";
import type { TaskError } from "./run-task.js";
import type { FinalTaskState, RunState } from "./task-state.js";

/** How a DAG or a loop ends in which something did not go well. */
export interface BadEnd {
  readonly state: FinalTaskState;
  readonly reason: string;
  readonly error?: TaskError;
}

/** How what is around these tasks ends, all of which have ended; undefined when nothing is against its success. */
export function badEndOf(inside: readonly Execution[], run: RunState): BadEnd | undefined {
  if (run !== "RUNNING" && inside.some(({ view }) => view.state === "CANCELLED"))
    return { state: "CANCELLED", reason: "the run was cancelled" };
  const failed = inside.find(({ view }) => view.state === "FAILED");
  if (failed === undefined) return undefined;
  const { message, code, task: deeper } = failed.view.error ?? { message: "" };
  const culprit = deeper ?? failed.view.id;
  const error = { message, task: culprit, ...(code === undefined ? {} : { code }) };
  return { state: "FAILED", reason: `${culprit} failed: ${message}`, error };
}
