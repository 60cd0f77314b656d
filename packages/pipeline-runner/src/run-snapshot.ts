import { isObject, type Pipeline } from "@wye/pipeline-spec";
import type { CancelOptions } from "./pipeline-run.js";
import { PipelineRunError } from "./run-error.js";
import type { RunOptions } from "./start-run.js";
import type { TaskReport } from "./task-report.js";

/** What was done to a run. */
export type RunCommand =
  | { readonly kind: "report"; readonly task: string; readonly report: TaskReport }
  | { readonly kind: "cancel"; readonly options: CancelOptions };

/** A run as JSON: how it was started, and what was done to it since, from which its state follows. */
export interface RunSnapshot {
  readonly format: 1;
  readonly pipeline: Pipeline;
  readonly options: RunOptions;
  readonly commands: readonly RunCommand[];
}

/** Refuses what is no snapshot, and snapshots of other versions. */
export function checkSnapshot(snapshot: unknown): asserts snapshot is RunSnapshot {
  const problem = problemOf(snapshot);
  if (problem !== undefined)
    throw new PipelineRunError("snapshot", `this is no snapshot of a run: ${problem}`);
}

/**
 * The snapshot of a run that was cancelled as if it had not been: what was stopped is running still, for the host to report as
 * `QUEUED`. The same snapshot when nothing was cancelled.
 */
export function withoutCancellation(snapshot: RunSnapshot): RunSnapshot {
  checkSnapshot(snapshot);
  const commands = snapshot.commands.filter(
    (command) => command.kind !== "cancel" && command.report.state !== "CANCELLED",
  );
  return commands.length === snapshot.commands.length ? snapshot : { ...snapshot, commands };
}

function problemOf(snapshot: unknown): string | undefined {
  if (!isObject(snapshot)) return "it is no object";
  if (snapshot.format !== 1)
    return `its format is ${JSON.stringify(snapshot.format)}, this version reads format 1`;
  if (!isObject(snapshot.pipeline)) return "it has no pipeline";
  if (!isObject(snapshot.options)) return "it has no options";
  if (!Array.isArray(snapshot.commands)) return "it has no list of commands";
  const wrong = snapshot.commands.findIndex((one: unknown) => !isCommand(one));
  return wrong < 0 ? undefined : `/commands/${wrong} is neither a report nor a cancellation`;
}

function isCommand(command: unknown): boolean {
  if (!isObject(command)) return false;
  if (command.kind === "cancel") return isObject(command.options);
  return command.kind === "report" && typeof command.task === "string" && isObject(command.report);
}
