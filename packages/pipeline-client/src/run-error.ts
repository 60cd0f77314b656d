import { failedTasks } from "./follow/run-tasks.js";
import { shown } from "./shown.js";
import type { Run, RunTaskDetail, RuntimeState } from "./wire/run.js";

/** A run has not ended well. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly runId: string;
  readonly state: RuntimeState;
  readonly run: Run;
  /** The task that explains the failure, if the server tells of one. */
  readonly task: RunTaskDetail | undefined;
  /** All tasks that have failed, this one first. */
  readonly failedTasks: readonly RunTaskDetail[];
  /** Whether somebody has ended it: Kubeflow calls the state of such a run FAILED all the same. */
  readonly wasTerminated: boolean;

  /** @param wasTerminated  whether its end was asked for while it was followed; its history tells as well */
  constructor(run: Run, wasTerminated = false) {
    const tasks = failedTasks(run);
    const terminated = wasTerminated || hasBeenTerminated(run);
    super(describe(run, tasks, terminated));
    this.runId = run.runId;
    this.state = run.state ?? "FAILED";
    this.run = run;
    this.task = tasks[0];
    this.failedTasks = tasks;
    this.wasTerminated = terminated;
  }
}

/** Like `instanceof`, but also true for an error of another copy of this package. */
export function isRunError(value: unknown): value is RunError {
  return value instanceof Error && value.name === "RunError";
}

function hasBeenTerminated({ state, stateHistory = [] }: Run): boolean {
  const states = [state, ...stateHistory.map((change) => change.state)];
  return states.some((one) => /^CANCEL/i.test(one ?? ""));
}

function describe(run: Run, tasks: readonly RunTaskDetail[], terminated: boolean): string {
  const name = run.displayName ? `${quote(run.displayName)} (${shown(run.runId)})` : shown(run.runId);
  const [task, ...others] = tasks;
  const reason = task?.error?.message || run.error?.message || run.stateHistory?.at(-1)?.error?.message;
  const end = terminated ? "was terminated" : `has ended as ${shown(run.state ?? "FAILED")}`;
  const where = task === undefined ? "" : `: task ${quote(task.displayName || task.taskId || "")} failed`;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return `the run ${name} ${end}${where}${more}${reason ? `: ${shown(reason)}` : ""}`;
}

const quote = (text: string): string => JSON.stringify(shown(text));
