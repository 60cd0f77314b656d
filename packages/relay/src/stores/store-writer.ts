import type { Item } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import type { Clock } from "../clock.js";
import type { Logger } from "../logger.js";
import { messageOf } from "../message-of.js";
import { type TimedCall, timedCall } from "../timed-call.js";
import type { FlagStore, StoreDescription } from "./flag-store.js";
import { lackingItems } from "./lacking-items.js";
import { PendingWork, type Task } from "./pending-work.js";
import { placeOfStore } from "./place-of-store.js";

/** The store as the status document shows it. */
export interface StoreStatus {
  readonly state: "VALID" | "INTERRUPTED" | "INITIALIZING";
  /** Unix time in milliseconds of the last change of `state`. */
  readonly stateSince: number;
}

/** What a writer needs to know of its environment. */
export interface StoreWriterContext {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Everything that is served now. */
  readonly current: () => readonly Item[];
  /** Whether upstream tells of every change now: what is served may be out of date otherwise. */
  readonly isInTouch: () => boolean;
  /**
   * Takes over what the store has: all of it before upstream delivers, what is newer afterwards. Asks for it when no other
   * change is under way; there may be nothing any more then.
   */
  readonly adopt: (change: () => Change | undefined) => Promise<unknown> | undefined;
}

const retryMs = 1000;
const defaultTimeoutMs = 10_000;
const shortestTtlMs = 1000;
const probeMs = 5000;
/** How often a store is found empty by a relay that has lost upstream before it fills it. */
const questionsForOthers = 3;

/**
 * Keeps a store in step with what is served, beside serving: nobody waits for it. It does one thing at a time, gives up
 * what is not answered in time, tries again, and makes up for what failed. Changes that come in the meantime are merged.
 */
export class StoreWriter {
  readonly about: StoreDescription | undefined;
  readonly #store: FlagStore | undefined;
  /** What messages begin with. */
  readonly #name: string;
  readonly #context: StoreWriterContext;
  readonly #pending = new PendingWork();
  #status: StoreStatus;
  #running: { readonly task: Task; readonly writes: boolean; readonly call: TimedCall<unknown> } | undefined;
  #working: Promise<void> = Promise.resolve();
  #busy = false;
  /** What was last told of failures. */
  #told = "";
  /** Whether upstream has delivered: from then on only what is newer is taken over from the store. */
  #fed = false;
  /** How many full sets upstream has delivered. */
  #fulls = 0;
  /** Whether what is served is a full set. */
  #complete = false;
  /** What the store was found to lack, and was given: what it still lacks afterwards it does not take. */
  #lacking: ReadonlyMap<string, Item> = new Map();
  /** Whether what it lacks could not be written: what is in the way may give way to a full set. */
  #isUnmended = false;
  /** How often in turn it was found to be emptied by somebody. */
  #emptied = 0;
  /** How often the store was lost when it was last known what it has. */
  #losses: number | undefined;
  #closed = false;
  #stopped = false;
  #cancelRetry: (() => void) | undefined;
  #cancelRefresh: (() => void) | undefined;
  #cancelProbe: (() => void) | undefined;

  /** Without a store there is nothing to do. */
  constructor(store: FlagStore | undefined, context: StoreWriterContext) {
    this.about = store?.about;
    this.#store = store;
    this.#losses = store?.losses?.();
    this.#name = `data store: ${placeOfStore(store?.about)}`;
    this.#context = context;
    // Of a store nothing is known until it has answered or failed.
    this.#status = {
      state: store === undefined ? "VALID" : "INITIALIZING",
      stateSince: context.clock.now(),
    };
  }

  get status(): StoreStatus {
    return this.#status;
  }

  /** Reads what the store has, to serve it until upstream delivers. */
  start(): void {
    this.#pending.addRead();
    this.#work();
  }

  /** Writes a change that is served from now on. */
  write(change: Change): void {
    if (this.#store === undefined || this.#closed) return;
    this.#fed = true;
    if (change.extent === "full") {
      this.#complete = true;
      // What the store would say is out of date, or what it has said.
      this.#fulls++;
      if (this.#running?.writes === false) this.#stop();
    }
    this.#pending.add(change);
    this.#work();
  }

  /** Writes what waits, unless the store fails anyway, and closes the store; waits for neither beyond the deadline. */
  async close(deadline: Promise<void>): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelRetry?.();
    this.#cancelRefresh?.();
    this.#cancelProbe?.();
    const running = this.#running?.task.kind;
    if (running === "read" || running === "probe") this.#stop();
    await Promise.race([this.#working, deadline]);
    this.#stopped = true;
    this.#stop();
    await Promise.race([this.#closeStore(), deadline]);
  }

  #stop(): void {
    this.#running?.call.cancel(new Superseded());
  }

  async #closeStore(): Promise<void> {
    try {
      await this.#store?.close();
    } catch (error) {
      this.#context.logger.warn(`${this.#name}closing failed: ${messageOf(error)}`);
    }
  }

  /** Begins with what is to be done, unless something is under way or a pause was made. */
  #work(): void {
    if (this.#busy || this.#store === undefined || this.#cancelRetry !== undefined) return;
    this.#busy = true;
    this.#working = this.#workThrough(this.#store);
  }

  async #workThrough(store: FlagStore): Promise<void> {
    // The changes of one turn become one task.
    await undefined;
    let healthy = true;
    while (healthy && !this.#stopped) {
      const task = this.#pending.take({ onlyWrites: this.#closed });
      if (task === undefined) break;
      healthy = await this.#attempt(store, task);
    }
    this.#busy = false;
  }

  /** Does a task; tells whether the store can be asked for more. */
  async #attempt(store: FlagStore, task: Task): Promise<boolean> {
    try {
      await this.#perform(store, task);
      this.#succeeded(store, task);
      return true;
    } catch (error) {
      if (error instanceof Superseded) return true;
      this.#failed(task, error);
      return false;
    }
  }

  async #perform(store: FlagStore, task: Task): Promise<void> {
    if (task.kind === "probe") return await this.#probe(store, task);
    if (task.kind === "upsert") return await this.#upsert(store, task, task.items);
    if (task.kind === "read") return await this.#refresh(store, task);
    if (task.kind === "replace") return await this.#replace(store, task);
    await this.#mend(store, task);
  }

  async #refresh(store: FlagStore, task: Task): Promise<void> {
    const lacking = await this.#read(store, task);
    if (!this.#complete) return;
    if (lacking === undefined) {
      if (this.#mayFill()) this.#pending.addAll();
      return;
    }
    if (this.#context.isInTouch()) this.#pending.add({ extent: "partial", items: this.#give(lacking) });
    // What is there does not tell what is missing.
    await this.#probe(store, task);
  }

  /** Of what a store lacks, what it was not given already. */
  #give(lacking: ReadonlyMap<string, Item>): readonly Item[] {
    const before = this.#lacking;
    this.#lacking = lacking;
    return [...lacking].flatMap(([name, item]) => (before.has(name) ? [] : [item]));
  }

  /** Whether to fill a store that somebody has emptied. Others know better what belongs there while upstream is lost, and are waited for. */
  #mayFill(): boolean {
    this.#emptied++;
    return this.#context.isInTouch() || this.#emptied > questionsForOthers;
  }

  /** Takes over what is newer, and writes everything if a part was taken away, or what is lacking. */
  async #mend(store: FlagStore, task: Task): Promise<void> {
    const lacking = await this.#read(store, task);
    if (lacking === undefined || task.kind === "restore") return await this.#replace(store, task);
    this.#lacking = lacking;
    if (lacking.size > 0) await this.#upsert(store, task, [...lacking.values()]);
  }

  async #replace(store: FlagStore, task: Task): Promise<void> {
    const losses = store.losses?.();
    await this.#call(store, task, (signal) => store.replace(this.#context.current(), signal), true);
    this.#losses = losses;
  }

  async #upsert(store: FlagStore, task: Task, items: readonly Item[]): Promise<void> {
    const fulls = this.#fulls;
    const kept = await this.#call(store, task, (signal) => store.upsert(items, signal), true);
    if (kept.length > 0) await this.#adopt(kept, fulls);
  }

  /** Takes over what the store has said, unless upstream has delivered a full set since it was asked. */
  async #adopt(items: readonly Item[], fulls: number): Promise<void> {
    await this.#context.adopt(() =>
      this.#fulls === fulls ? { extent: this.#fed ? "partial" : "full", items } : undefined,
    );
  }

  /** Takes over what is newer in the store, and gives what it lacks; `undefined` if it has no full set. */
  async #read(store: FlagStore, task: Task): Promise<ReadonlyMap<string, Item> | undefined> {
    const losses = store.losses?.();
    const items = await this.#call(store, task, (signal) => store.read(signal));
    this.#losses = losses;
    if (items === undefined) return undefined;
    this.#emptied = 0;
    this.#complete = true;
    const fulls = this.#fulls;
    await this.#adopt(items, fulls);
    return lackingItems(items, this.#context.current());
  }

  /**
   * What somebody has taken away is written again. A database that was away may have come back as it was some time ago: then what it lacks
   * is, unless others may have written what is newer than all that this relay knows.
   */
  async #probe(store: FlagStore, task: Task): Promise<void> {
    const isFilled = await this.#call(
      store,
      task,
      async (signal) => (await store.isFilled?.(signal)) ?? true,
    );
    const wasAway = (task.kind === "probe" && task.isDoubted) || store.losses?.() !== this.#losses;
    const isDoubted = wasAway && this.#context.isInTouch();
    if (isFilled) this.#emptied = 0;
    if (!this.#complete) return;
    if (!isFilled && this.#mayFill()) this.#pending.addRestore();
    if (isFilled && isDoubted) {
      if (this.#isUnmended) this.#pending.addRestore();
      else this.#pending.addMend();
    }
  }

  async #call<Result>(
    store: FlagStore,
    task: Task,
    run: (signal: AbortSignal) => Promise<Result>,
    writes = false,
  ): Promise<Result> {
    const call = timedCall(this.#context.clock, store.timeoutMs ?? defaultTimeoutMs, run);
    this.#running = { task, writes, call };
    try {
      return await call.result;
    } finally {
      this.#running = undefined;
    }
  }

  #succeeded(store: FlagStore, { kind }: Task): void {
    this.#change("VALID");
    this.#told = "";
    if (kind === "mend" || kind === "restore" || kind === "replace") this.#isUnmended = false;
    if (this.#closed) return;
    // Items that were written tell nothing of all the others, nor a question of what is there: the time for those goes on.
    this.#refreshIn(store.cacheTtlMs, kind === "upsert" || kind === "probe");
    if (store.isFilled !== undefined) this.#probeIn(probeMs, kind === "upsert");
  }

  /** Reads again after a time, or when that is due already. */
  #refreshIn(ttlMs = Number.POSITIVE_INFINITY, goesOn = false): void {
    if (ttlMs === Number.POSITIVE_INFINITY || (goesOn && this.#cancelRefresh !== undefined)) return;
    this.#cancelRefresh?.();
    this.#cancelRefresh = this.#context.clock.schedule(Math.max(ttlMs, shortestTtlMs), () => {
      this.#cancelRefresh = undefined;
      this.start();
    });
  }

  #probeIn(ms: number, goesOn: boolean): void {
    if (goesOn && this.#cancelProbe !== undefined) return;
    this.#cancelProbe?.();
    this.#cancelProbe = this.#context.clock.schedule(ms, () => {
      this.#cancelProbe = undefined;
      this.#pending.addProbe();
      this.#work();
    });
  }

  #failed(task: Task, error: unknown): void {
    const { clock } = this.#context;
    this.#change("INTERRUPTED");
    this.#isUnmended ||= task.kind === "mend";
    this.#tell(`${this.#name}${descriptions[task.kind]} failed: ${messageOf(error)}`);
    this.#pending.addFailed(task);
    if (this.#closed) return;
    this.#cancelRetry = clock.schedule(retryMs, () => {
      this.#cancelRetry = undefined;
      this.#work();
    });
  }

  /** An outage of hours is tried to be ended each second: what is told of it is told once. */
  #tell(message: string): void {
    if (message !== this.#told) this.#context.logger.error(message);
    this.#told = message;
  }

  #change(state: StoreStatus["state"]): void {
    if (state !== this.#status.state) this.#status = { state, stateSince: this.#context.clock.now() };
  }
}

/** A call that was given up because its answer is not wanted any more. */
class Superseded extends Error {
  override readonly name = "Superseded";
}

const descriptions: Readonly<Record<Task["kind"], string>> = {
  read: "reading",
  probe: "asking whether everything is still there",
  replace: "writing all flags",
  restore: "writing all flags again",
  mend: "writing what is missing",
  upsert: "writing some flags",
};
