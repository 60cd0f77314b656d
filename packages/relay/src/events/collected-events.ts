import { type EventBudget, type EventBudgets, type EventRoom, entryBytes } from "./event-budget.js";
import { type Collected, type EventMetadata, nameOf } from "./payload.js";
import type { Precedence } from "./precedence.js";

/** Events as the inside of a JSON array. */
export interface EventBatch {
  readonly bytes: Buffer;
  readonly count: number;
}

/** Events that wait for a flush, those that can be sent together under one name. */
export class CollectedEvents {
  readonly #budgets: EventBudgets;
  readonly #precedence: Pick<Precedence, "isKnown">;
  readonly #collected = new Map<string, Collecting>();

  constructor(budgets: EventBudgets, precedence: Pick<Precedence, "isKnown">) {
    this.#budgets = budgets;
    this.#precedence = precedence;
  }

  get size(): number {
    return this.#collected.size;
  }

  get all(): Iterable<Collected> {
    return this.#collected.values();
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

  /** What was collected under a name collects no longer. */
  delete(name: string): void {
    this.#collected.delete(name);
  }

  #budgetOf(metadata: EventMetadata, name: string): EventBudget {
    const collecting = this.#collected.get(name);
    if (collecting !== undefined) return collecting.budget;
    return this.#precedence.isKnown({ metadata, name }) ? this.#budgets.all : this.#budgets.strange;
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
