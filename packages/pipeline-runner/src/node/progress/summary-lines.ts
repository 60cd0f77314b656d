import { countStates } from "../../count-states.js";
import { durationText } from "../../duration-text.js";
import { signOf } from "../../state-sign.js";
import { clip, visibleText } from "../../visible-text.js";
import { logTail } from "../log-tail.js";
import type { FinishedTask, RunResult } from "../run-pipeline.js";
import { paint } from "./state-paint.js";

const words = { SUCCEEDED: "succeeded", FAILED: "failed", CANCELLED: "was cancelled" } as const;
const tail = { lines: 12, bytes: 8192 };

/** How a run has ended, for people: what matters most comes last, where they look. */
export function summaryLines(result: RunResult, colors: boolean): readonly string[] {
  const { state, folder, tasks, events, warnings, error } = result;
  const [first, last] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0];
  const title = `${signOf(state)} the run ${words[state]} after ${durationText(last - first)}`;
  return [
    ...warnings.map((warning) => `warning: ${visibleText(warning)}`),
    `${paint(title, state, colors)}: ${countStates(tasks).join(", ") || "no tasks"}`,
    `  files: ${visibleText(folder)}`,
    ...(error === undefined ? [] : failureLines(error, tasks, colors)),
  ];
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
