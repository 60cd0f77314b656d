import { isObject } from "@wye/pipeline-spec";
import { PipelineClientError } from "../client-error.js";
import type { CallOptions } from "../client-options.js";
import type { SessionSettings } from "../http/session.js";
import { isAbsent } from "../is-absent.js";
import type { Run, RuntimeState } from "../wire/run.js";
import { poll } from "./poll.js";
import { ProgressEvents } from "./progress-events.js";
import { isFinalState } from "./run-state.js";
import type { FollowOptions, RunChange, RunCursor, RunUpdate } from "./run-update.js";

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
  try {
    for (;;) {
      const { value: answer } = await answers.next(hasChanged);
      const run = withKnown(answer, known);
      known = run;
      const next = cursorOf(run, cursor);
      const changes = changesOf(run, cursor, next);
      hasChanged = changes.length > 0;
      cursor = next;
      const isFinal = isFinalState(next.state);
      if (hasChanged || isFirst || isFinal) {
        yield { run, state: next.state, isFinal, changes, events: events.take(run, changes), cursor };
      }
      isFirst = false;
      if (isFinal) return;
    }
  } finally {
    await answers.return(undefined as never);
  }
}

/** Cursors come from files. */
function checkCursor(after: unknown): void {
  if (after === undefined || (isObject(after) && isObject(after.tasks))) return;
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
  const taskDetails = run.runDetails?.taskDetails ?? known?.runDetails?.taskDetails;
  const state = run.state ?? known?.state;
  return {
    ...run,
    ...(state !== undefined && { state }),
    ...(taskDetails !== undefined && { runDetails: { ...run.runDetails, taskDetails } }),
  };
}

function cursorOf({ state, runDetails }: Run, before: RunCursor | undefined): RunCursor {
  const { taskDetails } = runDetails ?? {};
  const tasks = (taskDetails ?? []).flatMap(({ taskId, state = "PENDING" }): [string, RuntimeState][] =>
    taskId === undefined ? [] : [[taskId, state]],
  );
  return {
    state: state ?? before?.state ?? "PENDING",
    tasks: taskDetails === undefined && before !== undefined ? before.tasks : Object.fromEntries(tasks),
  };
}

function changesOf(run: Run, before: RunCursor | undefined, now: RunCursor): readonly RunChange[] {
  const changes: RunChange[] = [];
  for (const task of run.runDetails?.taskDetails ?? []) {
    if (task.taskId === undefined) continue;
    const from =
      before !== undefined && Object.hasOwn(before.tasks, task.taskId)
        ? before.tasks[task.taskId]
        : undefined;
    const state = task.state ?? "PENDING";
    if (from !== state) changes.push({ task, state, ...(from !== undefined && { from }) });
  }
  // How a run ends comes after what has ended in it.
  if (before?.state !== now.state) {
    changes.push({ state: now.state, ...(before !== undefined && { from: before.state }) });
  }
  return changes;
}
