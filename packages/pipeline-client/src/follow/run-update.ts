import type { CallOptions } from "../client-options.js";
import type { Run, RunTaskDetail, RuntimeState } from "../wire/run.js";

/** How something is followed. */
export interface PollOptions extends CallOptions {
  /** How long to follow: without an end if not given. Then it fails with `timeout`. */
  readonly maxWaitMs?: number | undefined;
  /** The first wait between two questions: 1,000 if not given. */
  readonly minPollMs?: number | undefined;
  /** The longest wait between two questions: 10,000 if not given. */
  readonly maxPollMs?: number | undefined;
  /** How long the server may fail without a break: 600,000 if not given. */
  readonly maxOutageMs?: number | undefined;
}

/** How a run is followed. */
export interface FollowOptions extends PollOptions {
  /** Goes on where an update left off, in this process or another: only what has changed since is told. */
  readonly after?: RunCursor | undefined;
}

/** Where following has come to: plain JSON. */
export interface RunCursor {
  readonly state: RuntimeState;
  /** States of tasks, by id. */
  readonly tasks: Readonly<Record<string, RuntimeState>>;
}

/** Something that has come to another state: the run, or a task of it. */
export interface RunChange {
  /** None for the run itself. */
  readonly task?: RunTaskDetail;
  /** None for what was not known before. */
  readonly from?: RuntimeState;
  readonly state: RuntimeState;
}

/**
 * The same as an event of `@wye/pipeline-runner`, for what shows the progress of a run: `terminalProgress().onEvent` takes it.
 */
export interface ProgressEvent {
  readonly number: number;
  /** Milliseconds since 1970, by the clock of the server. */
  readonly at?: number;
  /** The name of a task, encoded; the empty text is the run. */
  readonly task: string;
  readonly state:
    | "PENDING"
    | "QUEUED"
    | "RUNNING"
    | "CANCELLING"
    | "SUCCEEDED"
    | "FAILED"
    | "SKIPPED"
    | "CANCELLED";
  readonly reason: string;
}

/** What is known of a run that is followed. */
export interface RunUpdate {
  readonly run: Run;
  readonly state: RuntimeState;
  /** True for the last one. */
  readonly isFinal: boolean;
  /** What has changed since the last update. */
  readonly changes: readonly RunChange[];
  /** The changes for a view of progress, without steps that only serve the engine. */
  readonly events: readonly ProgressEvent[];
  /** To go on from here. */
  readonly cursor: RunCursor;
}

/** How a run is waited for. */
export interface WaitOptions extends FollowOptions {
  /** Called with every change. What it throws, or rejects with, ends the wait; a promise is waited for, within `maxWaitMs`. */
  readonly onUpdate?: ((update: RunUpdate) => void) | undefined;
}
