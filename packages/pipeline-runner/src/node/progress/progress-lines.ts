import { durationText } from "../../duration-text.js";
import { signOf } from "../../state-sign.js";
import { clip, columnsOf } from "../../visible-text.js";
import type { ProgressModel, ProgressTask } from "./progress-model.js";
import { paint } from "./state-paint.js";

/** What a view is drawn for. */
export interface ProgressView {
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
  readonly colors: boolean;
}

/**
 * The lines of the live view, none wider than the terminal and one fewer than it has rows. What runs is shown first, then what has failed,
 * what waits, what has ended last; the rest is counted.
 */
export function progressLines(model: ProgressModel, view: ProgressView): readonly string[] {
  const room = Math.max(0, view.rows - 2);
  const shown = choose(model, room);
  const lines = shown.map((task) => taskLine(task, view));
  return [...lines, footer(model, view)];
}

/** The tasks that are shown with what is around them, in the order in which they came to be. */
function choose(model: ProgressModel, room: number): readonly ProgressTask[] {
  const chosen = new Set<ProgressTask>();
  const ended = [...model.ended].reverse();
  const groups = [
    model.running,
    ended.filter(({ state }) => state === "FAILED"),
    model.open,
    model.queued,
    ended,
  ];
  for (const group of groups) {
    for (const task of group) {
      if (chosen.size >= room) break;
      const line = [...around(task)].filter((one) => !chosen.has(one));
      if (chosen.size + line.length <= room) for (const one of line) chosen.add(one);
    }
  }
  const inside = new Map<ProgressTask | undefined, ProgressTask[]>();
  for (const task of [...chosen].sort((a, b) => a.number - b.number)) {
    const siblings = inside.get(task.parent);
    if (siblings === undefined) inside.set(task.parent, [task]);
    else siblings.push(task);
  }
  const inOrder = (parent: ProgressTask | undefined): readonly ProgressTask[] =>
    (inside.get(parent) ?? []).flatMap((task) => [task, ...inOrder(task)]);
  return inOrder(undefined);
}

function* around(task: ProgressTask): Generator<ProgressTask> {
  for (let one: ProgressTask | undefined = task; one !== undefined; one = one.parent) yield one;
}

function taskLine(task: ProgressTask, { columns, now, colors }: ProgressView): string {
  const depth = [...around(task)].length - 1;
  // However deep, half of the line is left for what it says.
  const indent = " ".repeat(Math.min(2 * depth, Math.floor(columns / 4)));
  const time = timeOf(task, now);
  const right = time === "" ? "" : `  ${time}`;
  const text = `${indent}${signOf(task.state)} ${task.label}${detailsOf(task)}`;
  // Where there is no room for both, the name counts more than the time.
  if (columns < columnsOf(right) + 8) return paint(clip(text, Math.max(1, columns - 1)), task.state, colors);
  const left = clip(text, columns - columnsOf(right) - 1);
  const more = remarkOf(task);
  const rest = columns - columnsOf(left) - columnsOf(right) - 3;
  const remark = more === "" || rest < 8 ? "" : `  ${clip(more, rest)}`;
  const gap = right === "" ? "" : " ".repeat(Math.max(0, columns - 1 - columnsOf(left + remark + right)));
  return `${paint(left, task.state, colors)}${paint(remark, "dim", colors)}${gap}${paint(right, "dim", colors)}`;
}

function detailsOf({ inside, ended, attempt }: ProgressTask): string {
  const count = inside === undefined ? "" : `  ${ended}/${inside}`;
  return attempt > 1 ? `${count}  attempt ${attempt}` : count;
}

/** What the right part of a line says: the last words of what runs, and why the rest is as it is. */
function remarkOf({ state, said, reason, attempt }: ProgressTask): string {
  if (state === "RUNNING") return said;
  if (state === "QUEUED") return attempt > 1 ? reason : "";
  return state === "SUCCEEDED" && !reason.includes("cache") ? "" : reason;
}

function timeOf({ since, endedAt }: ProgressTask, now: number): string {
  return since === undefined ? "" : durationText((endedAt ?? now) - since);
}

function footer({ counts, running, queued, run, startedAt }: ProgressModel, view: ProgressView): string {
  const { SUCCEEDED, FAILED, SKIPPED, CANCELLED } = counts;
  const named: readonly (readonly [number, string])[] = [
    [running.size, "running"],
    [queued.size, "ready"],
    [SUCCEEDED, "succeeded"],
    [FAILED, "failed"],
    [SKIPPED, "skipped"],
    [CANCELLED, "cancelled"],
  ];
  const parts = named.flatMap(([count, name]) => (count > 0 ? [`${count} ${name}`] : []));
  const time = durationText(view.now - (startedAt ?? view.now));
  const text = [...(run === "CANCELLING" ? ["cancelling"] : []), time, ...parts].join(" · ");
  return paint(clip(text, Math.max(1, view.columns - 1)), "dim", view.colors);
}
