import type { Problem } from "@wye/pipeline-spec";
import type { RunTask } from "./run-task.js";

/** The problems of a value, in one line. */
export function describeProblems(problems: readonly Problem<string>[]): string {
  const errors = problems.filter(({ severity }) => severity === "error");
  const shown = errors
    .slice(0, 3)
    .map(({ message, hint }) => (hint === undefined ? message : `${message}; ${hint}`));
  const more = errors.length > shown.length ? [`and ${errors.length - shown.length} more`] : [];
  return [...shown, ...more].join("; ");
}

/** Why a task is not run whose upstream tasks have ended like this. */
export function upstreamReason(upstream: readonly RunTask[]): string {
  const words = { FAILED: "failed", SKIPPED: "was skipped", CANCELLED: "was cancelled" };
  const found = upstream.flatMap(({ state, name }) =>
    state === "FAILED" || state === "SKIPPED" || state === "CANCELLED" ? [`${name} ${words[state]}`] : [],
  );
  return `not run, because ${found.slice(0, 3).join(", ")}${found.length > 3 ? " and others did not succeed" : ""}`;
}

/** How a task without anything to add has ended. */
export function describeEnd({ kind, attempts }: RunTask): string {
  if (kind === "loop") return "all iterations have succeeded";
  if (kind === "dag") return "all of its tasks have ended well";
  return attempts > 1 ? `attempt ${attempts} has succeeded` : "it has succeeded";
}

/** When the next attempt comes. */
export function describeWait(delayMs: number): string {
  return delayMs === 0 ? "follows at once" : `follows after ${delayMs / 1000} s`;
}
