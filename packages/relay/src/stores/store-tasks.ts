import type { Item } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import type { Clock } from "../clock.js";
import { compareContents, type Difference, knownOf } from "./compare-contents.js";
import type { FlagStore } from "./flag-store.js";
import { ItemsOfOthers } from "./items-of-others.js";
import type { PendingWork, Task } from "./pending-work.js";

/** What is served, beside the store. */
export interface ServedItems {
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

/** How a store is asked. Calls reject when the store fails or takes too long, and when they are not wanted any more. */
export interface StoreAccess {
  ask<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** As `ask`, for what writes. */
  write<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** What is asked now is not wanted any more. */
  stopAsking(): void;
}

/** What the tasks of a store are done with. */
export interface StoreTasksParts {
  readonly calls: StoreAccess;
  readonly clock: Pick<Clock, "monotonic">;
  /** What is to be done, to which a task adds what has to follow. */
  readonly pending: PendingWork;
  readonly served: ServedItems;
  /** Whether what the store has is nothing to serve, until everything in it has been replaced. */
  readonly isStale: boolean;
  /** Everything in it has been replaced. */
  readonly replaced: () => void;
}

/** For how long a relay that has lost upstream finds a store empty before it fills it. */
const timeForOthersMs = 15_000;

/** What is done with a store, one task at a time, and what is known of its contents. */
export class StoreTasks {
  readonly #store: FlagStore;
  readonly #calls: StoreAccess;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #pending: PendingWork;
  readonly #served: ServedItems;
  /** Whether upstream has delivered: from then on only what is newer is taken over from the store. */
  #fed = false;
  /** How many full sets upstream has delivered. */
  #fulls = 0;
  /** Whether what is served is a full set. */
  #complete = false;
  /** What the store was found to lack, and was given: what it still lacks afterwards it does not take. */
  #lacking: ReadonlyMap<string, Item> = new Map();
  /** Whether it could not be read when something was found to be taken away: what is in the way gives way to a full set. */
  #isUnreadable = false;
  /** Since when it is found to be emptied by somebody. */
  #emptySince: number | undefined;
  /** How often the store was lost when it was last known what it has; `undefined` if it does not tell. */
  #losses: number | undefined;
  /** Whether it was lost since it last had what is served: what it has more may be of long ago. */
  #isLost = false;
  #isStale: boolean;
  readonly #replaced: () => void;
  readonly #others = new ItemsOfOthers();

  constructor(store: FlagStore, parts: StoreTasksParts) {
    this.#store = store;
    this.#calls = parts.calls;
    this.#clock = parts.clock;
    this.#pending = parts.pending;
    this.#served = parts.served;
    this.#isStale = parts.isStale;
    this.#replaced = parts.replaced;
    this.#losses = store.losses?.();
  }

  /** Upstream has delivered; `before` is what was served before a full set. */
  noteDelivery(change: Change, before: readonly Item[]): void {
    this.#fed = true;
    this.#others.noteDelivery(change, before);
    if (change.extent !== "full") return;
    this.#complete = true;
    // What the store would say is out of date, or what it has said.
    this.#fulls++;
    this.#calls.stopAsking();
  }

  /** Does a task. Rejects when the store fails, or when the task is not wanted any more. */
  async perform(task: Task): Promise<void> {
    if (task.kind === "probe") return await this.#probe(task.isDoubted);
    if (task.kind === "keys") return await this.#noteKeys();
    if (task.kind === "upsert") return await this.#upsert(task.items);
    if (task.kind === "read") return await this.#refresh();
    // What upstream has just delivered is right, whatever the store has, and so is anything where another environment has left something.
    const isForeign = this.#isStale && this.#complete;
    if (isForeign || (task.kind === "replace" && (!task.isAgain || this.#served.isInTouch())))
      return await this.#replace();
    await this.#mend(task);
  }

  /** No key of this environment opens what another one has left; what replaces that is written with those that open it. */
  async #noteKeys(): Promise<void> {
    if (!this.#isStale) await this.#calls.write(async (signal) => this.#store.noteKeys?.(signal));
  }

  /** Takes over what is newer, and gives what is lacking. */
  async #refresh(): Promise<void> {
    const difference = await this.#read({ isShared: true });
    if (!this.#complete) return;
    if (difference === undefined) {
      if (this.#mayFill()) this.#pending.addAll();
      return;
    }
    if (this.#served.isInTouch()) this.#pending.add({ extent: "partial", items: this.#give(difference) });
    // What is there does not tell what is missing.
    await this.#probe(false);
  }

  /** Of what a store lacks, what it was not given already. */
  #give({ lacking }: Difference): readonly Item[] {
    const before = this.#lacking;
    this.#lacking = lacking;
    return [...lacking].flatMap(([name, item]) => (before.has(name) ? [] : [item]));
  }

  /** Whether to fill a store that somebody has emptied. Others know better what belongs there while upstream is lost, and are waited for. */
  #mayFill(): boolean {
    const now = this.#clock.monotonic();
    this.#emptySince ??= now;
    return this.#served.isInTouch() || now - this.#emptySince >= timeForOthersMs;
  }

  /**
   * Takes over what is newer, and writes what is lacking; everything if nothing is there, or only a part, or what was removed. Who has lost
   * upstream cannot tell what others have removed from what they never had: then only what is older there is written.
   */
  async #mend(task: Task): Promise<void> {
    const isRestored = task.kind === "restore";
    if (isRestored && this.#isUnreadable && this.#served.isInTouch()) return await this.#replace();
    this.#isUnreadable = isRestored;
    const difference = await this.#read();
    if (difference === undefined) return await this.#replace();
    const { lacking, older, hasMore } = difference;
    if (!this.#served.isInTouch()) return await this.#write(older);
    if (task.kind !== "mend" || hasMore) return await this.#replace();
    this.#lacking = lacking;
    await this.#write([...lacking.values()]);
    this.#isLost = false;
  }

  async #write(items: readonly Item[]): Promise<void> {
    if (items.length > 0) await this.#upsert(items);
  }

  async #replace(): Promise<void> {
    const losses = this.#store.losses?.();
    await this.#calls.write((signal) => this.#store.replace(this.#served.current(), signal));
    this.#losses = losses;
    this.#isStale = false;
    this.#replaced();
    this.#isUnreadable = false;
    this.#isLost = false;
    if (this.#store.isPiecemeal !== true) return;
    // What was given before may have gone since.
    this.#lacking = new Map();
    this.#pending.addRead();
  }

  async #upsert(items: readonly Item[]): Promise<void> {
    const fulls = this.#fulls;
    const kept = await this.#calls.write((signal) => this.#store.upsert(items, signal));
    if (kept.length > 0 && !this.#isStale) await this.#adopt(kept, fulls);
  }

  /**
   * Takes over what the store has said, unless upstream has delivered a full set since it was asked. To a relay that is in touch nobody but
   * upstream tells what else there is: what it does not know was removed, or will be told. Unless others are to write as well:
   * then what they have added counts, in a store that has been there all the time, but for what upstream has removed here.
   */
  async #adopt(items: readonly Item[], fulls: number, isShared = false): Promise<void> {
    const { adopt, current, isInTouch } = this.#served;
    await adopt(() => {
      if (this.#fulls !== fulls) return undefined;
      if (!this.#fed) return { extent: "full", items };
      const served = current();
      const isTold = fulls > 0 && isInTouch();
      const added = isTold ? this.#others.withoutRemoved(items) : items;
      const adopted = isTold && !isShared ? knownOf(items, served) : added;
      this.#others.noteAdoption(adopted, served);
      return { extent: "partial", items: adopted };
    });
  }

  /** Serves no more what was taken over, and those who wrote it have removed. */
  async #forget(items: readonly Item[], fulls: number): Promise<void> {
    const { adopt, current, isInTouch } = this.#served;
    await adopt(() => {
      if (this.#fulls !== fulls || !isInTouch()) return undefined;
      const rest = this.#others.withoutGone(current(), items);
      return rest && { extent: "full", items: rest };
    });
  }

  /** Takes over what is newer in the store, and tells how it differs then; `undefined` if it has no full set. */
  async #read({ isShared = false } = {}): Promise<Difference | undefined> {
    const losses = this.#store.losses?.();
    const items = await this.#calls.ask((signal) => this.#store.read(signal));
    this.#isUnreadable = false;
    this.#isLost ||= losses !== this.#losses;
    this.#losses = losses;
    if (items === undefined || this.#isStale) return undefined;
    this.#emptySince = undefined;
    this.#complete = true;
    // Of a store that does not tell nobody knows whether it has been there all the time.
    const isOfOthers = isShared && losses !== undefined && !this.#isLost;
    await this.#adopt(items, this.#fulls, isOfOthers);
    if (isOfOthers) await this.#forget(items, this.#fulls);
    const { lacking, ...difference } = compareContents(items, this.#served.current());
    // What others have brought is theirs to write again, if it was not removed.
    return { ...difference, lacking: new Map([...lacking].filter(([, item]) => !this.#others.has(item))) };
  }

  /**
   * What somebody has taken away is written again. A database that was away may have come back as it was some time ago: then what it lacks
   * is, unless others may have written what is newer than all that this relay knows.
   */
  async #probe(isDoubted: boolean): Promise<void> {
    const isFilled = await this.#calls.ask(async (signal) => (await this.#store.isFilled?.(signal)) ?? true);
    const wasAway = isDoubted || this.#isLost || this.#store.losses?.() !== this.#losses;
    if (isFilled) this.#emptySince = undefined;
    if (!this.#complete) return;
    if (!isFilled && this.#mayFill()) this.#pending.addRestore();
    if (!isFilled || !wasAway || !this.#served.isInTouch()) return;
    this.#pending.addMend();
  }
}
