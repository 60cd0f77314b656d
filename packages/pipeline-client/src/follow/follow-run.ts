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
  let isFirst = true;
  // What the first `next` is given goes nowhere.
  let hasChanged = true;
  try {
    for (;;) {
      const { value: run } = await answers.next(hasChanged);
      const next = cursorOf(run);
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

function cursorOf(run: Run): RunCursor {
  const tasks = (run.runDetails?.taskDetails ?? []).flatMap(({ taskId, state }): [string, RuntimeState][] =>
    taskId === undefined ? [] : [[taskId, state ?? "PENDING"]],
  );
  return { state: run.state ?? "PENDING", tasks: Object.fromEntries(tasks) };
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
