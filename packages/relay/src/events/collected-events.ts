import { type EventBudget, type EventBudgets, type EventRoom, entryBytes } from "./event-budget.js";

/** What distinguishes posts: events that differ in it are never sent together. */
export interface EventMetadata {
  readonly schema: number;
  readonly tags: string;
  /** Keeps the output of the summarising path apart from events that are passed on as they are. */
  readonly origin: string;
  /** As whom they were taken: the likeliest key of that moment. */
  readonly key: string | undefined;
}

/** One name for all that can be sent together. */
function nameOf({ schema, tags, origin, key }: EventMetadata): string {
  return JSON.stringify([schema, tags, origin, key]);
}

/** What is kept, and what it has taken from which budget. */
export interface Kept {
  readonly metadata: EventMetadata;
  /** That of the metadata. */
  readonly name: string;
  readonly budget: EventBudget;
  readonly count: number;
  readonly cost: number;
}

/** Events that are to be one post. */
export interface Collected extends Kept {
  readonly batches: readonly Buffer[];
}

/** Events as the inside of a JSON array. */
export interface EventBatch {
  readonly bytes: Buffer;
  readonly count: number;
}

/** Events that wait for a flush, those that can be sent together under one name. */
export class CollectedEvents {
  readonly #budgets: EventBudgets;
  readonly #isKnown: (waiting: Pick<Kept, "metadata" | "name">) => boolean;
  readonly #collected = new Map<string, Collecting>();
  /** What waits to be taken, and grows until it is. */
  readonly #inLine = new Set<Collected>();

  constructor(budgets: EventBudgets, isKnown: (waiting: Pick<Kept, "metadata" | "name">) => boolean) {
    this.#budgets = budgets;
    this.#isKnown = isKnown;
  }

  get isEmpty(): boolean {
    return this.#collected.size === this.#inLine.size;
  }

  /** What nothing was done about yet. */
  get idle(): readonly Collected[] {
    return [...this.#collected.values()].filter((one) => !this.#inLine.has(one));
  }

  /** Notes that something is going to be taken. */
  lineUp(one: Collected): void {
    this.#inLine.add(one);
  }

  /** Notes that something is not going to be taken after all. */
  fallOut(one: Collected): void {
    this.#inLine.delete(one);
  }

  /** What events are kept within: those under names that are not known have to do with a part. */
  budgetFor(metadata: EventMetadata): EventBudget {
    return this.#budgetOf(metadata, nameOf(metadata));
  }

  /** What can be added now: events, and bytes of one batch of them. */
  roomFor(metadata: EventMetadata): EventRoom {
    const name = nameOf(metadata);
    const { count, bytes } = this.#budgetOf(metadata, name).room;
    return { count, bytes: bytes - this.#overhead(name) };
  }

  /** Gives false, and adds nothing, when there is no room for all of them. */
  add(metadata: EventMetadata, { bytes, count }: EventBatch): boolean {
    const name = nameOf(metadata);
    const budget = this.#budgetOf(metadata, name);
    const cost = bytes.length + this.#overhead(name);
    if (!budget.take(count, cost)) return false;
    let queue = this.#collected.get(name);
    if (queue === undefined) {
      queue = { metadata, name, budget, batches: [], count: 0, cost: 0 };
      this.#collected.set(name, queue);
    }
    queue.batches.push(bytes);
    queue.count += count;
    queue.cost += cost;
    return true;
  }

  /** What was collected under a name is taken, and collects no longer. */
  take(one: Collected): void {
    this.#inLine.delete(one);
    this.#collected.delete(one.name);
  }

  #budgetOf(metadata: EventMetadata, name: string): EventBudget {
    const collecting = this.#collected.get(name);
    if (collecting !== undefined) return collecting.budget;
    return this.#isKnown({ metadata, name }) ? this.#budgets.all : this.#budgets.strange;
  }

  /** What a batch costs beside its bytes: itself, and its queue when it is the first there. */
  #overhead(name: string): number {
    return entryBytes + (this.#collected.has(name) ? 0 : entryBytes + 2 * name.length);
  }
}

interface Collecting extends Collected {
  readonly batches: Buffer[];
  count: number;
  cost: number;
}
