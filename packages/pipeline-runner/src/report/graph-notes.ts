import { pointer } from "@wye/pipeline-spec";
import { durationText } from "../duration-text.js";
import type { RunTask } from "../run-task.js";
import { signOf } from "../state-sign.js";
import { isFinal, type TaskState } from "../task-state.js";

/** What is to be known of a task to tell how it is. */
export interface NotedTask
  extends Pick<
    RunTask,
    "id" | "name" | "parent" | "iteration" | "state" | "attempts" | "cached" | "startedAt" | "endedAt"
  > {
  /** How many iterations a loop has, when not all of them are among the tasks. */
  readonly inside?: number;
}

/** How a box of the graph is. */
export interface GraphNote {
  readonly state: TaskState;
  /** One character that tells the state. */
  readonly sign: string;
  /** In words: `succeeded after 1.2 s`, `7/20`. */
  readonly note: string;
  /** The first task of the run that the box stands for. */
  readonly task: string;
}

/**
 * How each box of a graph is, by the names that lead to it, as a JSON pointer. A task in a loop runs many times and has one box.
 * What is not there has not come to be.
 */
export function graphNotes(tasks: readonly NotedTask[]): ReadonlyMap<string, GraphNote> {
  const boxOf = new Map<string, string>([["", ""]]);
  const groups = new Map<string, NotedTask[]>();
  const iterations = new Map<string, { ended: number; all: number }>();
  for (const task of tasks) {
    if (task.id === "") continue;
    const around = boxOf.get(task.parent) ?? "";
    const box = task.iteration === undefined ? pointer(around, task.name) : around;
    boxOf.set(task.id, box);
    if (task.iteration !== undefined) {
      const count = iterations.get(task.parent) ?? { ended: 0, all: 0 };
      count.all++;
      if (isFinal(task.state)) count.ended++;
      iterations.set(task.parent, count);
      continue;
    }
    const group = groups.get(box);
    if (group === undefined) groups.set(box, [task]);
    else group.push(task);
  }
  const notes = [...groups].map(([box, group]): [string, GraphNote] => [box, noteOf(group, iterations)]);
  return new Map(notes);
}

/** What is worst, or still goes on, stands for all. */
const order: readonly TaskState[] = [
  "FAILED",
  "RUNNING",
  "CANCELLED",
  "QUEUED",
  "PENDING",
  "SUCCEEDED",
  "SKIPPED",
];

function noteOf(
  group: readonly NotedTask[],
  iterations: ReadonlyMap<string, { readonly ended: number; readonly all: number }>,
): GraphNote {
  const [first] = group;
  const states = new Set(group.map(({ state }) => state));
  const state = order.find((one) => states.has(one)) ?? "PENDING";
  const task = first?.id ?? "";
  const shown = { state, sign: signOf(state), task };
  if (group.length > 1) return { ...shown, note: noteOfMany(group, state) };
  const count = iterations.get(task);
  const parts = [words[state]];
  if (count !== undefined) parts.push(`${count.ended}/${Math.max(count.all, first?.inside ?? 0)}`);
  if (first !== undefined && first.attempts > 1) parts.push(`attempt ${first.attempts}`);
  if (first?.cached) parts.push("cached");
  else if (first?.startedAt !== undefined && first.endedAt !== undefined)
    parts.push(durationText(first.endedAt - first.startedAt));
  return { ...shown, note: parts.join(" · ") };
}

/** How far they are, or how they have ended. */
function noteOfMany(group: readonly NotedTask[], state: TaskState): string {
  const ended = group.filter((one) => isFinal(one.state)).length;
  if (ended < group.length) return `${words[state]} · ${ended}/${group.length}`;
  const counts = order.flatMap((one) => {
    const count = group.filter((task) => task.state === one).length;
    return count > 0 ? [`${count} ${words[one]}`] : [];
  });
  return counts.length > 2 ? `${counts.slice(0, 2).join(" · ")} …` : counts.join(" · ");
}

const words: Readonly<Record<TaskState, string>> = {
  PENDING: "waits",
  QUEUED: "ready",
  RUNNING: "running",
  SUCCEEDED: "succeeded",
  FAILED: "failed",
  SKIPPED: "skipped",
  CANCELLED: "cancelled",
};
