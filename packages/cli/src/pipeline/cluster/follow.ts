import { type PipelineClient, type Run, RunError, type RunUpdate } from "@wye/pipeline-client";
import type { ExitCode } from "../../exit-code.js";
import { type Host, isColored } from "../../host.js";
import type { Outage } from "./outage.js";

/** How a run is shown. */
export interface FollowViewOptions {
  readonly json?: boolean;
  /** The user has just asked for the end of the run. */
  readonly isCanceled?: boolean;
}

/** Shows what becomes of a run, and tells how it has ended. When the user has seen enough, the run goes on. */
export async function followRun(
  client: PipelineClient,
  run: string,
  { json = false, isCanceled = false }: FollowViewOptions,
  host: Host,
  outage: Outage,
): Promise<ExitCode> {
  // Nobody looks on at JSON.
  const view = json ? undefined : (await import("@wye/pipeline-runner/node")).terminalProgress;
  const live = isColored(host, host.err) && host.err.isTTY === true;
  let progress = view?.({ stream: host.err, live });
  outage.listener = (line) => {
    // A line in the middle of a picture would spoil it: from here on there are lines alone.
    progress?.end();
    host.err.write(line);
    progress = view?.({ stream: host.err, live: false });
  };
  let last: RunUpdate | undefined;
  let wasTerminated = isCanceled;
  try {
    for await (const update of client.runs.follow(run, { signal: host.interrupted })) {
      last = update;
      wasTerminated ||= update.state === "CANCELING";
      if (progress === undefined) host.out.write(`${JSON.stringify(lineOf(update))}\n`);
      else for (const event of update.events) progress.onEvent(event);
    }
  } catch (error) {
    progress?.end();
    if (!host.interrupted.aborted) throw error;
    host.err.write(`the run goes on: ${client.links.run(last?.run.runId ?? run)}\n`);
    return 130;
  }
  progress?.end();
  return last === undefined ? 0 : tellEnd(client, last.run, { json, isCanceled: wasTerminated }, host);
}

function tellEnd({ links }: PipelineClient, run: Run, options: FollowViewOptions, { err }: Host): ExitCode {
  if (run.state === "SUCCEEDED") {
    if (!options.json) err.write(`the run has succeeded: ${links.run(run.runId)}\n`);
    return 0;
  }
  err.write(`wye: ${new RunError(run, options.isCanceled).message}\n     ${links.run(run.runId)}\n`);
  return 1;
}

/** An update as a line of JSON: where the run is, and what has changed. */
function lineOf({ run, state, isFinal, changes }: RunUpdate) {
  return {
    run: run.runId,
    state,
    isFinal,
    changes: changes.map(({ task, from, state: to }) => ({
      task: task?.displayName ?? task?.taskId,
      from,
      state: to,
      message: task?.error?.message,
    })),
  };
}
