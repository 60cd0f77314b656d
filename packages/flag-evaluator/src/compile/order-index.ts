import type { Steps } from "../steps.js";
import { type ClauseIndex, forEachValue, type IndexedClause } from "./clause-index.js";
import { Limits, type Order } from "./limits.js";

/** Clauses that ask on which side of their limit a value lies. */
export class OrderIndex<T> implements ClauseIndex {
  readonly #order: Order<T>;
  /** Those for values before the limit, and for those behind it. */
  readonly #before: Limits<T>;
  readonly #behind: Limits<T>;

  constructor(order: Order<T>) {
    this.#order = order;
    this.#before = new Limits(order, -1);
    this.#behind = new Limits(order, 1);
  }

  /** Any of the values can only be passed where the outermost one is. */
  *add(clause: IndexedClause, values: readonly unknown[]): Steps<void> {
    const limits = clause.relation.startsWith("<") ? this.#before : this.#behind;
    let limit: T | undefined;
    yield* forEachValue(values, (value) => {
      const parsed = this.#order.parse(value);
      if (parsed !== undefined && (limit === undefined || limits.passes(limit, parsed))) limit = parsed;
    });
    limits.add(clause, limit);
  }

  answer(memo: Uint8Array, value: unknown): void {
    const isMissing = value === undefined;
    if (Array.isArray(value)) {
      this.#before.answer(memo, this.#outermost(value, this.#before), isMissing);
      this.#behind.answer(memo, this.#outermost(value, this.#behind), isMissing);
    } else {
      const parsed = this.#order.parse(value);
      this.#before.answer(memo, parsed, isMissing);
      this.#behind.answer(memo, parsed, isMissing);
    }
  }

  /** Where one element of a list matches, the one that is farthest on the right side does. */
  #outermost(list: readonly unknown[], limits: Limits<T>): T | undefined {
    let best: T | undefined;
    for (const element of list) {
      const parsed = this.#order.parse(element);
      if (parsed !== undefined && (best === undefined || limits.passes(parsed, best))) best = parsed;
    }
    return best;
  }
}
