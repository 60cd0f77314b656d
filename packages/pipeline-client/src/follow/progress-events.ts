import type { Run, RunTaskDetail, RuntimeState } from "../wire/run.js";
import { isPipelineTask } from "./run-tasks.js";
import type { ProgressEvent, RunChange } from "./run-update.js";

const states: Readonly<Record<string, ProgressEvent["state"]>> = {
  PENDING: "PENDING",
  RUNNING: "RUNNING",
  // A view of progress knows no pauses.
  PAUSED: "RUNNING",
  SUCCEEDED: "SUCCEEDED",
  SKIPPED: "SKIPPED",
  FAILED: "FAILED",
  CANCELING: "CANCELLING",
  CANCELED: "CANCELLED",
};

/** Makes events for a view of progress out of changes. */
export class ProgressEvents {
  #number = 0;
  readonly #names = new Map<string, string>();
  /** How many tasks have a name. */
  readonly #counts = new Map<string, number>();

  take(run: Run, changes: readonly RunChange[]): readonly ProgressEvent[] {
    return changes.flatMap(({ task, state, from }) => {
      const known = states[state.toUpperCase()];
      if (known === undefined || (task !== undefined && !isPipelineTask(task, run))) return [];
      const at = momentOf(task, run, state);
      const name = task === undefined ? "" : this.#nameOf(task);
      // A task is cancelled or not: what is being cancelled still runs.
      const shown = task !== undefined && known === "CANCELLING" ? "RUNNING" : known;
      const reason = task?.error?.message ?? (task === undefined ? run.error?.message : undefined);
      return [
        {
          number: ++this.#number,
          ...(at !== undefined && { at }),
          task: name,
          state: shown,
          reason: reason || (from === undefined ? state.toLowerCase() : `${from} → ${state}`.toLowerCase()),
        },
      ];
    });
  }

  /** Several nodes may have one name: the second is told apart by a number. */
  #nameOf({ taskId = "", displayName = "" }: RunTaskDetail): string {
    const known = this.#names.get(taskId);
    if (known !== undefined) return known;
    const count = (this.#counts.get(displayName) ?? 0) + 1;
    this.#counts.set(displayName, count);
    const name = count === 1 ? displayName : `${displayName} (${count})`;
    const id = encodeURIComponent(name.toWellFormed());
    this.#names.set(taskId, id);
    return id;
  }
}

/** When it happened, by the clock of the server: this machine's may be another. */
function momentOf(task: RunTaskDetail | undefined, run: Run, state: RuntimeState): number | undefined {
  if (task === undefined)
    return (run.finishedAt ?? run.stateHistory?.at(-1)?.updateTime ?? run.createdAt)?.getTime();
  const isStart = state === "RUNNING" || state === "PENDING";
  return ((isStart ? undefined : task.endTime) ?? task.startTime ?? task.createTime)?.getTime();
}
