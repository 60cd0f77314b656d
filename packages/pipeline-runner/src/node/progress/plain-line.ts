import { durationText } from "../../duration-text.js";
import type { RunEvent } from "../../run-event.js";
import { signOf } from "../../state-sign.js";
import { visibleText } from "../../visible-text.js";

/** What a log of a run says of an event; undefined when it is not worth a line. */
export function plainLine(
  { task, state, attempt = 1, inside, reason }: RunEvent,
  afterMs: number,
): string | undefined {
  // How the run has ended is told by the summary.
  if (task === "" && state !== "CANCELLING") return undefined;
  if (state === "QUEUED" && attempt === 1) return undefined;
  const name = task === "" ? "the run" : visibleText(task);
  const isPlainStart = state === "RUNNING" && inside === undefined;
  const what = isPlainStart && attempt === 1 ? "started" : visibleText(reason);
  return `${durationText(afterMs).padStart(9)}  ${signOf(state)} ${name}: ${what}`;
}
