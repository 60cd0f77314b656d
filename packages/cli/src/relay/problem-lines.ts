import { printable } from "../printable.js";
import type { Problem } from "./config/parse-file.js";

/** A problem as one line. */
export function lineOf({ at, message }: Problem): string {
  return printable(at === undefined ? message : `${at}: ${message}`);
}

/** Everything that is wrong with a configuration. */
export function problemText(problems: readonly Problem[]): string {
  const title =
    problems.length === 1
      ? "the configuration is wrong"
      : `the configuration is wrong in ${problems.length} places`;
  return `wye: ${title}\n${problems.map((one) => `  ${lineOf(one)}\n`).join("")}`;
}
