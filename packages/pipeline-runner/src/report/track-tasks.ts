import type { RunEvent } from "../run-event.js";
import { placeOf } from "../task-place.js";
import { isFinal, type TaskState } from "../task-state.js";
import type { NotedTask } from "./graph-notes.js";

/** What is known of the tasks of a run that is somewhere else. */
export interface TrackedTasks {
  readonly take: (event: RunEvent) => void;
  /** The tasks that something has happened to, in the order in which it did. */
  readonly tasks: () => readonly NotedTask[];
}

type Tracked = { -readonly [Key in keyof NotedTask]: NotedTask[Key] };

/** Follows the events of a run, for `graphNotes` and `drawRun` while it goes on. */
export function trackTasks(): TrackedTasks {
  const tasks = new Map<string, Tracked>();
  return {
    take: ({ task: id, state, at, attempt, inside }) => {
      if (id === "") return;
      // Only the run has other states, and it has no id.
      const next = state as TaskState;
      const task: Tracked = tasks.get(id) ?? { id, ...placeOf(id), state: next, attempts: 0 };
      task.state = next;
      if (attempt !== undefined) task.attempts = attempt;
      if (inside !== undefined) task.inside = inside;
      if (at !== undefined && state === "RUNNING") task.startedAt ??= at;
      if (at !== undefined && isFinal(next)) task.endedAt = at;
      tasks.set(id, task);
    },
    tasks: () => [...tasks.values()],
  };
}
