import { durationText } from "../../duration-text.js";
import { logTail } from "../log-tail.js";
import type { FinishedTask, RunResult } from "../run-pipeline.js";
import { paint, signOf } from "./state-sign.js";
import { clip, visibleText } from "./terminal-text.js";

const words = { SUCCEEDED: "succeeded", FAILED: "failed", CANCELLED: "cancelled" } as const;
const tail = { lines: 12, bytes: 8192 };

/** How a run has ended, for people: what matters most comes last, where they look. */
export function summaryLines(result: RunResult, colors: boolean): readonly string[] {
  const { state, folder, tasks, events, warnings, error } = result;
  const [first, last] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0];
  const title = `${signOf(state)} the run ${words[state]} after ${durationText(last - first)}`;
  return [
    ...warnings.map((warning) => `warning: ${visibleText(warning)}`),
    `${paint(title, state, colors)}: ${countsOf(tasks)}`,
    `  files: ${visibleText(folder)}`,
    ...(error === undefined ? [] : failureLines(error, tasks, colors)),
  ];
}

function countsOf(tasks: readonly FinishedTask[]): string {
  const counts = new Map<string, number>();
  for (const { kind, state } of tasks) {
    if (kind !== "dag" && kind !== "loop") counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const order = ["SUCCEEDED", "FAILED", "SKIPPED", "CANCELLED"];
  const parts = order.flatMap((state) =>
    counts.has(state) ? [`${counts.get(state)} ${state.toLowerCase()}`] : [],
  );
  return parts.length === 0 ? "no tasks" : parts.join(", ");
}

function failureLines(
  { task: id, message }: NonNullable<RunResult["error"]>,
  tasks: readonly FinishedTask[],
  colors: boolean,
): readonly string[] {
  const task = tasks.find((one) => one.id === id);
  const name = id === undefined ? "the run" : visibleText(id);
  const said = logTail(task?.log, tail);
  return [
    "",
    paint(`${name} failed: ${visibleText(message)}`, "FAILED", colors),
    ...(said === "" ? [] : said.split("\n").map((line) => `  | ${clip(visibleText(line), 500)}`)),
    ...(task?.log === undefined ? [] : [`  log: ${visibleText(task.log)}`]),
  ];
}
