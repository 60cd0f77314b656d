import type { RunFacts, TaskInputs, TaskOutputs } from "@wye/pipeline-resolver";
import { checkOptions, describeValue, didYouMean, type RuntimeArtifact } from "@wye/pipeline-spec";
import { awaitedArtifacts } from "./awaited-artifacts.js";
import { checkReport } from "./check-report.js";
import type { Execution } from "./execution.js";
import type { ReadyTask } from "./ready-task.js";
import { PipelineRunError } from "./run-error.js";
import type { RunEvent } from "./run-event.js";
import type { RunMachine } from "./run-machine.js";
import type { RunCommand, RunSnapshot } from "./run-snapshot.js";
import type { RunTask, TaskError } from "./run-task.js";
import type { TaskReport } from "./task-report.js";
import type { RunState } from "./task-state.js";

/** Settings of `ready`. */
export interface ReadyOptions {
  /** At most so many. */
  readonly limit?: number;
  /** Only those that may start at this moment; without it also those that have to wait for their next attempt. */
  readonly now?: number;
}

/** Settings of `cancel`. */
export interface CancelOptions {
  /** Why, for the events. */
  readonly reason?: string;
  /** When, by the clock of the host. */
  readonly at?: number;
}

/**
 * A run of a pipeline: what may start, what has become of it, and what follows. It has no clock, starts nothing and reads nothing,
 * so that any engine can host it; what it is told is JSON, and so is a snapshot of it.
 */
export class PipelineRun {
  readonly #machine: RunMachine;
  readonly #start: Pick<RunSnapshot, "pipeline" | "options">;
  readonly #commands: RunCommand[] = [];

  /** @internal */
  constructor(machine: RunMachine, start: Pick<RunSnapshot, "pipeline" | "options">) {
    this.#machine = machine;
    this.#start = start;
    machine.at = start.options.at;
    machine.start();
  }

  get state(): RunState {
    return this.#machine.state;
  }

  /** The inputs of the pipeline, with its defaults. */
  get inputs(): TaskInputs {
    return this.#machine.root.view.inputs ?? { parameters: {}, artifacts: {}, defaulted: [] };
  }

  /** What placeholders can say about the run. */
  get facts(): RunFacts {
    return this.#machine.facts;
  }

  /** The outputs of the pipeline, once it has succeeded. */
  get outputs(): TaskOutputs | undefined {
    return this.#machine.root.view.outputs;
  }

  /** Why the run failed, and which task did. */
  get error(): TaskError | undefined {
    return this.#machine.root.view.error;
  }

  /** What is odd about values that were taken all the same, such as integers whose digits numbers do not keep, with their places. */
  get warnings(): readonly string[] {
    return Array.from(this.#machine.remarks, ([place, message]) => `${place}: ${message}`);
  }

  /** All tasks that exist so far, in the order in which they came to be: what is inside a DAG exists when the DAG has started. */
  get tasks(): readonly RunTask[] {
    return Array.from(this.#machine.tasks.values(), ({ view }) => view);
  }

  /** The task with this id. */
  task(id: string): RunTask | undefined {
    return this.#machine.tasks.get(id)?.view;
  }

  /** The artifacts, of those that were made, that may still be given to a task, or be an output of the run. */
  get awaited(): readonly RuntimeArtifact[] {
    return awaitedArtifacts([this.#machine.root, ...this.#machine.tasks.values()]);
  }

  /** All that has happened. */
  get events(): readonly RunEvent[] {
    return this.#machine.events;
  }

  /** The tasks that may start, those that have waited longest first. They stay ready until they are reported. */
  ready(options: ReadyOptions = {}): readonly ReadyTask[] {
    checkOptions("ready", options, { limit: "any", now: "any" });
    const { limit = Number.POSITIVE_INFINITY, now = Number.POSITIVE_INFINITY } = options;
    for (const [name, value] of Object.entries({ limit, now }))
      if (typeof value !== "number" || Number.isNaN(value))
        throw new TypeError(`the option "${name}" of ready is a number, not ${describeValue(value)}`);
    const found: ReadyTask[] = [];
    for (const { ready, notBefore } of this.#machine.queue) {
      if (found.length >= limit) break;
      if (ready !== undefined && notBefore <= now) found.push(ready());
    }
    return found;
  }

  /**
   * Tells what has become of a task, and returns what follows from it.
   *
   * @throws PipelineRunError when there is no such task, when it is not where the report says, or when the report is wrong
   */
  report(id: string, report: TaskReport): readonly RunEvent[] {
    const task = this.#machine.tasks.get(id);
    if (task === undefined) throw this.#unknownTask(id);
    checkReport(task, report);
    const own = copyOf(report);
    return this.#carryOut({ kind: "report", task: id, report: own }, own.at, () => this.#apply(task, own));
  }

  /** Lets nothing start any more, not even exit tasks. Without effect when the run is being cancelled or has ended. */
  cancel(options: CancelOptions = {}): readonly RunEvent[] {
    checkOptions("cancel", options, { reason: "any", at: "any" });
    const { reason = "the run was cancelled", at } = options;
    if (typeof reason !== "string")
      throw new TypeError(`the option "reason" of cancel is a text, not ${describeValue(reason)}`);
    if (at !== undefined && !Number.isFinite(at))
      throw new TypeError('the option "at" of cancel is a moment in milliseconds');
    if (this.state !== "RUNNING") return [];
    return this.#carryOut({ kind: "cancel", options: { ...options } }, at, () =>
      this.#machine.cancel(reason),
    );
  }

  /** The run as JSON, from which `resumeRun` makes it again. */
  snapshot(): RunSnapshot {
    return { format: 1, ...this.#start, commands: [...this.#commands] };
  }

  /** So that `JSON.stringify(run)` is a snapshot. */
  toJSON(): RunSnapshot {
    return this.snapshot();
  }

  #apply(task: Execution, report: TaskReport): undefined {
    const machine = this.#machine;
    if (report.state === "RUNNING") return machine.begin(task);
    if (report.state === "QUEUED") return machine.undo(task);
    if (report.state === "CANCELLED") return machine.stopped(task);
    // A host may report the end alone; what comes from a cache was never begun.
    if (task.view.state === "QUEUED" && !(report.state === "SUCCEEDED" && report.cached)) machine.begin(task);
    if (report.state === "FAILED") return machine.fail(task, report.error, report.retry ?? true);
    const { parameters = {}, artifacts = {} } = report.outputs ?? {};
    machine.succeed(task, { parameters, artifacts }, report.cached ?? false);
  }

  #carryOut(command: RunCommand, at: number | undefined, action: () => void): readonly RunEvent[] {
    const { events } = this.#machine;
    const before = events.length;
    this.#commands.push(command);
    this.#machine.at = at;
    action();
    return events.slice(before);
  }

  #unknownTask(id: string): PipelineRunError {
    const near = didYouMean(String(id), this.#machine.tasks.keys());
    const help = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
    return new PipelineRunError("task", `the run has no task ${JSON.stringify(id)}${help}`);
  }
}

/** A report is part of the run, and stays what it is when the host goes on with its objects; it was seen to be JSON. */
function copyOf(report: TaskReport): TaskReport {
  if (report.state === "FAILED") return { ...report, error: { ...report.error } };
  if (report.state !== "SUCCEEDED" || report.outputs === undefined) return { ...report };
  return { ...report, outputs: JSON.parse(JSON.stringify(report.outputs)) };
}
