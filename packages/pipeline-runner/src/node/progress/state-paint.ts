import type { RunState, TaskState } from "../../task-state.js";

type Paint = TaskState | RunState | "dim";

const colors: Readonly<Record<Paint, number>> = {
  PENDING: 2,
  QUEUED: 2,
  RUNNING: 36,
  SUCCEEDED: 32,
  FAILED: 31,
  SKIPPED: 2,
  CANCELLED: 33,
  CANCELLING: 33,
  dim: 2,
};

/** A text in the colour of a state, which a terminal shows. */
export function paint(text: string, state: Paint, isColored: boolean): string {
  return isColored && text !== "" ? `\x1b[${colors[state]}m${text}\x1b[0m` : text;
}

/** A text without its colours. */
export function unpainted(text: string): string {
  return text.replace(colorCodes, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes that `paint` writes
const colorCodes = /\x1b\[\d+m/g;
