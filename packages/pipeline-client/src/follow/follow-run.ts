import { isObject } from "@wye/pipeline-spec";
import { PipelineClientError } from "../client-error.js";
import type { CallOptions } from "../client-options.js";
import type { SessionSettings } from "../http/session.js";
import { isAbsent } from "../is-absent.js";
import type { Run } from "../wire/run.js";
import { poll } from "./poll.js";
import { ProgressEvents } from "./progress-events.js";
import { isFinalState } from "./run-state.js";
import type { FollowOptions, RunUpdate } from "./run-update.js";
import { stateChanges, withKnownTasks } from "./state-changes.js";

/** Follows a run until it has ended. */
export async function* followRun(
  ask: (options: CallOptions) => Promise<Run>,
  what: string,
  options: FollowOptions,
  settings: SessionSettings,
): AsyncGenerator<RunUpdate, void, undefined> {
  const { after } = options;
  checkCursor(after);
  const events = new ProgressEvents();
  const answers = poll({ what, ask: seenOnce(ask, what) }, options, settings);
  let cursor = after;
  let known: Run | undefined;
  let isFirst = true;
  // What the first `next` is given goes nowhere.
  let hasChanged = true;
  for (;;) {
    const { value: answer } = await answers.next(hasChanged);
    const run = withKnown(answer, known);
    known = run;
    const snapshot = { state: run.state, tasks: run.runDetails?.taskDetails };
    const { cursor: next, changes } = stateChanges(snapshot, cursor);
    hasChanged = changes.length > 0;
    cursor = next;
    const isFinal = isFinalState(next.state);
    if (hasChanged || isFirst) {
      yield { run, state: next.state, isFinal, changes, events: events.take(run, changes), cursor };
    }
    isFirst = false;
    if (isFinal) return;
  }
}

/** Cursors come from files. */
function checkCursor(after: unknown): void {
  if (after === undefined) return;
  const { state, tasks } = isObject(after) ? after : {};
  const isText = (value: unknown): boolean => typeof value === "string";
  if (isText(state) && isObject(tasks) && Object.values(tasks).every(isText)) return;
  throw new TypeError("`after` is the `cursor` of an update");
}

/** Tells a run that has vanished from one that has never been. */
function seenOnce(ask: (options: CallOptions) => Promise<Run>, what: string): typeof ask {
  let wasSeen = false;
  return async (options) => {
    try {
      const run = await ask(options);
      wasSeen = true;
      return run;
    } catch (error) {
      if (!wasSeen || !(error instanceof PipelineClientError) || error.code !== "not_found") throw error;
      if (isAbsent(error))
        throw new PipelineClientError(
          `${what} was deleted while it was followed`,
          { code: "not_found" },
          { cause: error },
        );
      const { message, request, status, attempts } = error;
      throw new PipelineClientError(
        message,
        { code: "server_error", request, status, attempts, retryable: true },
        { cause: error },
      );
    }
  };
}

/** An answer that says nothing of the tasks, or of the state, says nothing new of them: a list that is empty is left out as well. */
function withKnown(run: Run, known: Run | undefined): Run {
  const state = run.state ?? known?.state;
  const tasks = run.runDetails?.taskDetails;
  const taskDetails = withKnownTasks({ state, tasks }, known?.runDetails?.taskDetails);
  return {
    ...run,
    ...(state !== undefined && { state }),
    ...(taskDetails !== undefined && { runDetails: { ...run.runDetails, taskDetails } }),
  };
}
