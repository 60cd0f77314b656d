import type { PipelineRun } from "../pipeline-run.js";
import type { ReadyContainer, ReadyTask } from "../ready-task.js";
import { PipelineRunError } from "../run-error.js";
import type { RunEvent } from "../run-event.js";
import type { RunCommand } from "../run-snapshot.js";
import type { TaskReport } from "../task-report.js";
import { isFinal } from "../task-state.js";
import { carryOut, type Tools } from "./carry-out.js";
import { isResultOf } from "./is-result-of.js";
import { placesOf, presenceOf } from "./places-of.js";
import { type CachedResult, type ResultCache, stampsOf } from "./result-cache.js";
import type { RunJournal } from "./run-journal.js";
import { steadyClock } from "./steady-clock.js";

/** What a run is driven with. */
export interface DriverSettings {
  readonly journal: RunJournal;
  readonly concurrency: number;
  readonly cache: ResultCache | undefined;
  readonly onEvent: ((event: RunEvent) => void) | undefined;
  readonly onLog: ((task: string, chunk: Uint8Array) => void) | undefined;
  readonly tools: Omit<Tools, "onLog" | "warn">;
}

/** How long a cancelled attempt may take to end before it is given up, and how long an answer that nobody waits for any more. */
const workMs = 30_000;
const answerMs = 5000;
const maxWarnings = 100;
/** So many wait without a place: they are looked at whenever something ends. */
const mostWaiting = 32;

/** Drives a run: starts what is ready, reports how it ends, keeps the journal. */
export class RunDriver {
  readonly warnings: string[] = [];
  readonly #run: PipelineRun;
  readonly #settings: DriverSettings;
  readonly #now: () => number;
  readonly #attempts = new Map<string, AbortController>();
  /** What is being made, by its entry in the cache. */
  readonly #making = new Map<string, Promise<void>>();
  /** The tasks that wait for what another is making: they have no place, and begin again when they have waited. */
  readonly #waiting = new Set<string>();
  /** Those that have waited: nobody waits twice. */
  readonly #patient = new Set<string>();
  readonly #untold: RunEvent[] = [];
  #isTelling = false;
  #wake: () => void = () => {};
  /** What makes it impossible to go on, such as a full disk. */
  #obstacle: { readonly error: unknown } | undefined;

  constructor(run: PipelineRun, settings: DriverSettings) {
    this.#run = run;
    this.#settings = settings;
    this.#now = steadyClock(run.events.at(-1)?.at);
  }

  /** Resolves when the run has ended, and rejects when it cannot go on. Nothing is left running either way. */
  async run(signal: AbortSignal | undefined, timeoutMs: number | undefined): Promise<void> {
    const onAbort = () => this.#cancel("the run was cancelled");
    signal?.addEventListener("abort", onAbort, { once: true });
    const deadline =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => this.#cancel(`its time of ${timeoutMs / 1000} s is over`), timeoutMs);
    try {
      if (signal?.aborted) onAbort();
      while (this.#obstacle === undefined && !isFinal(this.#run.state)) {
        const happened = new Promise<void>((wake) => {
          this.#wake = wake;
        });
        const timer = this.#startReady();
        await happened;
        clearTimeout(timer);
      }
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener("abort", onAbort);
      await this.#stopAttempts();
    }
    if (this.#obstacle !== undefined) throw this.#obstacle.error;
  }

  /** Tells events in the order in which they happened, also when whoever hears of one makes others happen. */
  tell(events: readonly RunEvent[]): void {
    this.#untold.push(...events);
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (const event of this.#untold) this.#guard("onEvent", () => this.#settings.onEvent?.(event));
    this.#untold.length = 0;
    this.#isTelling = false;
  }

  /** Starts what may start, and a timer for what has to wait for its next attempt. */
  #startReady(): NodeJS.Timeout | undefined {
    const { concurrency } = this.#settings;
    const now = this.#now();
    const ready = this.#run.ready({ limit: concurrency + this.#attempts.size, now });
    for (const task of ready) {
      if (this.#isFull()) return undefined;
      // Whoever heard that the one before begins may have cancelled the run.
      const isReady = this.#run.task(task.id)?.state === "QUEUED";
      if (isReady && !this.#attempts.has(task.id)) this.#attempt(task);
    }
    if (this.#isFull()) return undefined;
    let next = Number.POSITIVE_INFINITY;
    for (const { notBefore } of this.#run.ready()) if (notBefore > now) next = Math.min(next, notBefore);
    return Number.isFinite(next) ? setTimeout(() => this.#wake(), next - now) : undefined;
  }

  #isFull(): boolean {
    return this.#attempts.size - this.#waiting.size >= this.#settings.concurrency;
  }

  #attempt(task: ReadyTask): void {
    const controller = new AbortController();
    this.#attempts.set(task.id, controller);
    this.#carryOut(task, controller.signal)
      .catch((error: unknown) => {
        this.#obstacle ??= { error };
      })
      .finally(() => {
        this.#attempts.delete(task.id);
        this.#wake();
      });
  }

  async #carryOut(task: ReadyTask, signal: AbortSignal): Promise<void> {
    const entry = task.kind === "container" ? await this.#entryOf(task) : undefined;
    // A key of the author is that of several results: tasks that run at once make each its own.
    if (entry === undefined || (task.kind === "container" && task.isKeyNamed))
      return this.#findOrMake(task, entry, signal);
    // Of tasks that make the same one makes it: what comes after them is then given the same in the next run as well.
    const before = this.#making.get(entry);
    if (before !== undefined && !this.#patient.has(task.id)) return this.#wait(task, before);
    const making = this.#findOrMake(task, entry, signal);
    const over = making.catch(() => {}).finally(() => this.#making.delete(entry));
    this.#making.set(entry, over);
    await making;
  }

  /** Gives the place of a task to others until what it needs is made; it is still ready then. */
  async #wait({ id }: ReadyTask, before: Promise<void>): Promise<void> {
    this.#patient.add(id);
    if (this.#waiting.size < mostWaiting) {
      this.#waiting.add(id);
      this.#wake();
    }
    await before;
    this.#waiting.delete(id);
  }

  async #findOrMake(task: ReadyTask, entry: string | undefined, signal: AbortSignal): Promise<void> {
    const { cache, tools } = this.#settings;
    const known = entry === undefined ? undefined : await cache?.find(entry);
    // Meanwhile a task that failed may have stopped the run.
    if (signal.aborted || this.#run.task(task.id)?.state !== "QUEUED") return;
    if (known !== undefined && this.#takeFromCache(task, known)) return;
    this.#report(task.id, { state: "RUNNING", at: this.#now() });
    let isOver = false;
    const onLog = (id: string, chunk: Uint8Array) => {
      if (!isOver) this.#guard("onLog", () => this.#settings.onLog?.(id, chunk));
    };
    const warn = (message: string) => {
      if (!isOver) this.warn(message);
    };
    // Whoever heard that it begins may have cancelled the run.
    const ended: TaskReport = signal.aborted
      ? { state: "CANCELLED" }
      : await this.#patiently(task, carryOut(task, { ...tools, onLog, warn }, signal), signal);
    // An attempt that was given up has nothing to say any more.
    isOver = true;
    // As soon as others hear of its end they may change what it has made.
    const hasResult = entry !== undefined && ended.state === "SUCCEEDED";
    const stamps = hasResult ? await stampsOf(ended.outputs?.artifacts ?? {}) : {};
    // Of what has changed while the task ran nobody knows how it was read.
    const isKept = hasResult && task.kind === "container" && (await this.#entryOf(task)) === entry;
    const report: TaskReport =
      signal.aborted && ended.state !== "SUCCEEDED" ? { state: "CANCELLED" } : withPresence(ended);
    this.#report(task.id, { ...report, at: this.#now() });
    const { state, outputs } = this.#run.task(task.id) ?? {};
    if (!isKept || state !== "SUCCEEDED" || outputs === undefined) return;
    await cache
      ?.keep(entry, outputs, stamps)
      .catch((error: unknown) => this.warn(`the cache: ${messageOf(error)}`));
  }

  /** The cache is an extra: where it cannot be asked the task runs. */
  async #entryOf(task: ReadyContainer): Promise<string | undefined> {
    const { cache, tools } = this.#settings;
    try {
      return await cache?.entryOf(task, tools);
    } catch (error) {
      this.warn(`the cache is not used for ${task.id}: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Takes a result as that of a task; false when it is none of its component: then the task runs. */
  #takeFromCache({ id, definition }: ReadyTask, { outputs, stamp }: CachedResult): boolean {
    if (!isResultOf(definition, outputs)) return false;
    const report: TaskReport = { state: "SUCCEEDED", outputs, cached: true, stamp, at: this.#now() };
    try {
      this.#apply({ kind: "report", task: id, report }, () => this.#run.report(id, report));
      return true;
    } catch (error) {
      if (error instanceof PipelineRunError && error.code === "report") return false;
      throw error;
    }
  }

  /** An attempt that does not end although it was told to is given up. */
  async #patiently(task: ReadyTask, ended: Promise<TaskReport>, signal: AbortSignal): Promise<TaskReport> {
    let timer: NodeJS.Timeout | undefined;
    const isWork = task.kind !== "resolver";
    const patienceMs = isWork ? (this.#settings.tools.executor.endsWithinMs ?? workMs) : answerMs;
    const givenUp = new Promise<TaskReport>((resolve) => {
      const giveUp = () => {
        const what = isWork ? "what it does may be going on" : "nothing waits for its answer any more";
        this.warn(
          `${task.id} has not ended ${patienceMs / 1000} s after it was cancelled, and was given up: ${what}`,
        );
        resolve({ state: "CANCELLED" });
      };
      const onAbort = () => {
        timer = setTimeout(giveUp, patienceMs);
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
    });
    return Promise.race([ended, givenUp]).finally(() => clearTimeout(timer));
  }

  /** Changes the run; outputs that it refuses fail the task. */
  #report(id: string, report: TaskReport): void {
    try {
      this.#apply({ kind: "report", task: id, report }, () => this.#run.report(id, report));
    } catch (error) {
      if (!(error instanceof PipelineRunError) || error.code !== "report") throw error;
      const failure: TaskReport = { state: "FAILED", error: { message: error.message }, retry: false };
      this.#apply({ kind: "report", task: id, report: failure }, () => this.#run.report(id, failure));
    }
  }

  #cancel(reason: string): void {
    if (this.#run.state !== "RUNNING") return;
    const options = { reason, at: this.#now() };
    try {
      this.#apply({ kind: "cancel", options }, () => this.#run.cancel(options));
    } catch (error) {
      this.#obstacle ??= { error };
    }
    for (const attempt of this.#attempts.values()) attempt.abort();
    this.#wake();
  }

  #apply(command: RunCommand, change: () => readonly RunEvent[]): void {
    const events = change();
    this.#settings.journal.append(command);
    this.tell(events);
  }

  async #stopAttempts(): Promise<void> {
    for (const attempt of this.#attempts.values()) attempt.abort();
    while (this.#attempts.size > 0) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }

  /** A callback of the host that throws, or rejects later, does not stop the run. */
  #guard(name: string, call: () => unknown): void {
    const onError = (error: unknown) => this.warn(`${name} threw: ${messageOf(error)}`);
    try {
      const result = call();
      if (result instanceof Promise) result.catch(onError);
    } catch (error) {
      onError(error);
    }
  }

  /** Tells the user of something, once however often it is said. */
  readonly warn = (message: string): void => {
    if (this.warnings.length < maxWarnings && !this.warnings.includes(message)) this.warnings.push(message);
  };
}

/** Says which artifacts have files: of some, such as metrics, there never are any. */
function withPresence(report: TaskReport): TaskReport {
  if (report.state !== "SUCCEEDED") return report;
  const stamp = presenceOf(placesOf(report.outputs?.artifacts ?? {}));
  return stamp === "" ? report : { ...report, stamp };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
