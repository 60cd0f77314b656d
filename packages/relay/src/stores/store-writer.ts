import type { Item } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import type { Clock } from "../clock.js";
import type { Logger } from "../logger.js";
import { messageOf } from "../message-of.js";
import { type Backoff, createBackoff } from "../sources/backoff.js";
import type { FlagStore, StoreDescription } from "./flag-store.js";
import { PendingWork, type Task } from "./pending-work.js";
import { placeOfStore } from "./place-of-store.js";
import { StoreCalls, Superseded } from "./store-calls.js";
import type { StoreHolder } from "./store-holders.js";
import { type ServedItems, StoreTasks } from "./store-tasks.js";

/** The store as the status document shows it. */
export interface StoreStatus {
  readonly state: "VALID" | "INTERRUPTED" | "INITIALIZING";
  /** Unix time in milliseconds of the last change of `state`. */
  readonly stateSince: number;
}

/** What a writer needs to know of its environment. */
export interface StoreWriterContext extends ServedItems {
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** Is told when the store has first said what it has. */
  readonly answered: () => void;
  /** Whether what the store has is nothing to serve, until everything in it has been replaced. */
  readonly isStale?: boolean;
  /** Everything in it has been replaced. */
  readonly replaced?: () => void;
  /** Absent where nobody else could use the store. */
  readonly holder?: Pick<StoreHolder, "turn" | "done"> | undefined;
}

/** A store, and what is done with it. */
interface Kept {
  readonly store: FlagStore;
  readonly calls: StoreCalls;
  readonly tasks: StoreTasks;
}

/** The pause before a store is asked again whether it is there. */
const askAgainMs = 1000;
/** The pauses before anything else is tried again, which may have the database read or write everything. */
const pauses = { baseMs: 1000, maxMs: 30_000, resetAfterMs: 0 };
/** How many failures are remembered as told. */
const maxTold = 20;
const shortestTtlMs = 1000;
const probeMs = 5000;

/**
 * Keeps a store in step with what is served, beside serving: nobody waits for it. It does one thing at a time, gives up
 * what is not answered in time, tries again, and makes up for what failed. Changes that come in the meantime are merged.
 */
export class StoreWriter {
  readonly about: StoreDescription | undefined;
  readonly #kept: Kept | undefined;
  /** What messages begin with. */
  readonly #name: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Until others have written what they had, and what tells others in turn. */
  readonly #turn: Promise<void> | undefined;
  readonly #done: () => void;
  readonly #pending = new PendingWork();
  readonly #answered: () => void;
  #hasAnswered: boolean;
  #status: StoreStatus;
  #task: Task | undefined;
  #working: Promise<void> = Promise.resolve();
  #busy = false;
  /** What was told of the failures that are not over yet. */
  readonly #told = new Set<string>();
  readonly #backoff: Backoff;
  #closed = false;
  #stopped = false;
  #cancelRetry: (() => void) | undefined;
  #cancelRefresh: (() => void) | undefined;
  #cancelProbe: (() => void) | undefined;

  /** Without a store there is nothing to do. */
  constructor(store: FlagStore | undefined, context: StoreWriterContext) {
    const { clock, random, logger, holder, answered } = context;
    this.#backoff = createBackoff({ ...pauses, random, monotonic: () => clock.monotonic() });
    this.#turn = holder?.turn;
    this.#done = () => holder?.done();
    this.#answered = answered;
    this.#hasAnswered = store === undefined;
    this.about = store?.about;
    this.#name = `data store: ${placeOfStore(store?.about)}`;
    this.#clock = clock;
    this.#logger = logger;
    if (store !== undefined) {
      const calls = new StoreCalls(store, clock);
      const { isStale = false, replaced = () => {} } = context;
      const parts = { calls, clock, pending: this.#pending, served: context, isStale, replaced };
      this.#kept = { store, calls, tasks: new StoreTasks(store, parts) };
    }
    // Of a store nothing is known until it has answered or failed.
    this.#status = { state: store === undefined ? "VALID" : "INITIALIZING", stateSince: clock.now() };
  }

  get status(): StoreStatus {
    return this.#status;
  }

  /** Whether it is known what the store had at the start. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Reads what the store has, to serve it until upstream delivers. */
  start(): void {
    this.#pending.addRead();
    this.#work();
  }

  /** Writes a change that is served from now on; `before` gives what was served before, where that matters. */
  write(change: Change, before: () => readonly Item[]): void {
    if (this.#kept === undefined || this.#closed) return;
    this.#kept.tasks.noteDelivery(change, change.extent === "full" ? before() : []);
    this.#pending.add(change);
    this.#work();
  }

  /** Other SDK keys open what is kept from now on. */
  noteKeys(): void {
    if (this.#kept?.store.noteKeys === undefined || this.#closed) return;
    this.#pending.addKeys();
    this.#work();
  }

  /** Writes what waits, unless the store fails anyway, and closes the store; waits for neither beyond the deadline. */
  async close(deadline: Promise<void>): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelRetry?.();
    this.#cancelRefresh?.();
    this.#cancelProbe?.();
    const running = this.#task?.kind;
    if (running === "read" || running === "probe") this.#kept?.calls.stop();
    await Promise.race([this.#working, deadline]);
    this.#stopped = true;
    this.#kept?.calls.stop();
    await Promise.race([this.#closeStore(), deadline]);
    this.#done();
  }

  async #closeStore(): Promise<void> {
    try {
      await this.#kept?.store.close();
    } catch (error) {
      this.#logger.warn(`${this.#name}closing failed: ${messageOf(error)}`);
    }
  }

  /** Begins with what is to be done, unless something is under way or a pause was made. */
  #work(): void {
    if (this.#busy || this.#kept === undefined || this.#cancelRetry !== undefined) return;
    this.#busy = true;
    this.#working = this.#workThrough(this.#kept);
  }

  async #workThrough(kept: Kept): Promise<void> {
    // The changes of one turn become one task.
    await this.#turn;
    let healthy = true;
    while (healthy && !this.#stopped) {
      this.#task = this.#pending.take({ onlyWrites: this.#closed });
      if (this.#task === undefined) break;
      healthy = await this.#attempt(kept, this.#task);
    }
    this.#busy = false;
  }

  /** Does a task; tells whether the store can be asked for more. */
  async #attempt({ store, tasks }: Kept, task: Task): Promise<boolean> {
    try {
      await tasks.perform(task);
      this.#succeeded(store, task);
      return true;
    } catch (error) {
      if (error instanceof Superseded) return true;
      this.#failed(task, error);
      return false;
    }
  }

  #succeeded(store: FlagStore, { kind }: Task): void {
    const isAsked = kind === "read" || kind === "probe";
    // Who answers may still refuse what was refused before.
    if (!isAsked || this.#pending.isEmpty) {
      this.#change("VALID");
      this.#told.clear();
      this.#backoff.good();
    }
    if (!this.#hasAnswered && kind !== "probe") {
      this.#hasAnswered = true;
      this.#answered();
    }
    if (this.#closed) return;
    // Items or keys that were written tell nothing of all the others, nor a question of what is there: the time for those goes on.
    const isPart = kind === "upsert" || kind === "keys";
    this.#refreshIn(store.cacheTtlMs, isPart || kind === "probe");
    if (store.isFilled !== undefined) this.#probeIn(probeMs, isPart);
  }

  /** Reads again after a time, or when that is due already. */
  #refreshIn(ttlMs = Number.POSITIVE_INFINITY, goesOn = false): void {
    if (ttlMs === Number.POSITIVE_INFINITY || (goesOn && this.#cancelRefresh !== undefined)) return;
    this.#cancelRefresh?.();
    this.#cancelRefresh = this.#clock.schedule(Math.max(ttlMs, shortestTtlMs), () => {
      this.#cancelRefresh = undefined;
      this.start();
    });
  }

  #probeIn(ms: number, goesOn: boolean): void {
    if (goesOn && this.#cancelProbe !== undefined) return;
    this.#cancelProbe?.();
    this.#cancelProbe = this.#clock.schedule(ms, () => {
      this.#cancelProbe = undefined;
      this.#pending.addProbe();
      this.#work();
    });
  }

  #failed(task: Task, error: unknown): void {
    this.#change("INTERRUPTED");
    this.#tell(descriptions[task.kind], messageOf(error));
    this.#pending.addFailed(task);
    if (this.#closed) return;
    // One that is not there is asked soon again; one that answers and fails is spared.
    const pauseMs = task.kind === "probe" ? askAgainMs : this.#backoff.nextMs();
    this.#cancelRetry = this.#clock.schedule(pauseMs, () => {
      this.#cancelRetry = undefined;
      this.#work();
    });
  }

  /** An outage of hours is tried to be ended all the time: what is told of it is told once, whatever fails of it. */
  #tell(what: string, problem: string): void {
    if (this.#told.has(problem)) return;
    if (this.#told.size === maxTold) this.#told.clear();
    this.#told.add(problem);
    this.#logger.error(`${this.#name}${what} failed: ${problem}`);
  }

  #change(state: StoreStatus["state"]): void {
    if (state !== this.#status.state) this.#status = { state, stateSince: this.#clock.now() };
  }
}

const descriptions: Readonly<Record<Task["kind"], string>> = {
  read: "reading",
  probe: "asking whether everything is still there",
  replace: "writing all flags",
  restore: "writing all flags again",
  mend: "writing what is missing",
  upsert: "writing some flags",
  keys: "writing which keys open the flags",
};
