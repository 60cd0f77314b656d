import type { RunCursor } from "./run-update.js";

/** A task as far as it is followed. */
interface FollowedTask {
  readonly taskId?: string;
  readonly state?: string | undefined;
}

/** What is known of a run, or of a job of Vertex AI, at one moment. */
interface Snapshot<T extends FollowedTask> {
  readonly state?: string | undefined;
  readonly tasks?: readonly T[] | undefined;
}

/** What has come to another state: a task, or where there is none the whole. */
interface StateChange<T extends FollowedTask> {
  readonly task?: T;
  readonly from?: string;
  readonly state: string;
}

const isFailed = ({ state }: FollowedTask): boolean => state?.toUpperCase() === "FAILED";

/**
 * The tasks of an answer. One that says nothing of them, or of the state of one, says nothing new; for protobuf an empty list is none.
 * An end as FAILED that names no failed task is explained by those of the answer before, also where its list has other tasks only.
 */
export function withKnownTasks<T extends FollowedTask>(
  { state, tasks }: Snapshot<T>,
  known: readonly T[] | undefined,
): readonly T[] | undefined {
  if (tasks === undefined || known === undefined) return tasks ?? known;
  if (tasks.length === 0) return known;
  const before = new Map(known.map(({ taskId, state }) => [taskId, state]));
  const merged = tasks.map((task) => {
    const state = task.state ?? before.get(task.taskId);
    return state === task.state ? task : { ...task, state };
  });
  if (!isFailed({ state }) || merged.some(isFailed)) return merged;
  const listed = new Set(merged.map(({ taskId }) => taskId));
  return [...merged, ...known.filter((task) => isFailed(task) && !listed.has(task.taskId))];
}

/** What has changed since, and where following has come to. What was seen once stays known; of two tasks with one id the last one counts. */
export function stateChanges<T extends FollowedTask>(
  { state, tasks = [] }: Snapshot<T>,
  before: RunCursor | undefined,
): { readonly cursor: RunCursor; readonly changes: readonly StateChange<T>[] } {
  const known = new Map(Object.entries(before?.tasks ?? {}));
  const changes: StateChange<T>[] = [];
  for (const [id, task] of new Map(tasks.map((one) => [one.taskId, one]))) {
    if (id === undefined) continue;
    const from = known.get(id);
    const now = task.state ?? from ?? "PENDING";
    if (from !== now) changes.push({ task, state: now, ...(from !== undefined && { from }) });
    known.set(id, now);
  }
  const now = state ?? before?.state ?? "PENDING";
  // How a run ends comes after what has ended in it.
  if (before?.state !== now)
    changes.push({ state: now, ...(before !== undefined && { from: before.state }) });
  return { cursor: { state: now, tasks: Object.fromEntries(known) }, changes };
}
