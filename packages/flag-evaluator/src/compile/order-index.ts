import type { Steps } from "../steps.js";
import { type ClauseIndex, forEachValue } from "./clause-index.js";
import { NO, YES } from "./verdict.js";

/** A question about what comes first: on which side of a limit a value lies. */
export interface Comparison<T> {
  /** What is compared; undefined for values that have no place in the order. */
  readonly parse: (value: unknown) => T | undefined;
  /** Negative when the first comes before the second, 0 when neither does. */
  readonly compare: (a: T, b: T) => number;
  /** -1 for values before the limit, 1 for those behind it. */
  readonly side: -1 | 1;
  /** Whether the limit itself is on that side. */
  readonly inclusive: boolean;
}

interface Limit<T> {
  readonly clause: number;
  readonly limit: T;
}

/**
 * Clauses that ask on which side of their limit a value lies. In the order of their limits those that match come first: where
 * they end is found by halving.
 */
export class OrderIndex<T> implements ClauseIndex {
  readonly #comparison: Comparison<T>;
  readonly #limits: Limit<T>[] = [];
  /** The clauses of the limits, in their order; shorter while new limits are not in their place. */
  #clauses: readonly number[] = [];
  /** Clauses without a limit. */
  readonly #never: number[] = [];
  readonly #found: number;
  readonly #notFound: number;

  constructor(comparison: Comparison<T>, negate: boolean) {
    this.#comparison = comparison;
    this.#found = negate ? NO : YES;
    this.#notFound = negate ? YES : NO;
  }

  /** Any of the values can only be passed where the outermost one is. */
  *add(clause: number, values: readonly unknown[]): Steps<void> {
    const { parse, compare, side } = this.#comparison;
    let limit: T | undefined;
    yield* forEachValue(values, (value) => {
      const parsed = parse(value);
      if (parsed === undefined) return;
      if (limit === undefined || compare(parsed, limit) * side < 0) limit = parsed;
    });
    if (limit === undefined) this.#never.push(clause);
    else this.#limits.push({ clause, limit });
  }

  answer(memo: Uint8Array, value: unknown): void {
    if (this.#clauses.length < this.#limits.length) this.#sort();
    const end = this.#matching(value);
    const notFound = value === undefined ? NO : this.#notFound;
    const clauses = this.#clauses;
    for (let i = 0; i < end; i++) memo[clauses[i] ?? 0] = this.#found;
    for (let i = end; i < clauses.length; i++) memo[clauses[i] ?? 0] = notFound;
    for (const clause of this.#never) memo[clause] = notFound;
  }

  #sort(): void {
    const { compare, side } = this.#comparison;
    this.#limits.sort((a, b) => compare(a.limit, b.limit) * side);
    this.#clauses = this.#limits.map(({ clause }) => clause);
  }

  /** How many clauses match. */
  #matching(value: unknown): number {
    const { compare, side, inclusive } = this.#comparison;
    const best = Array.isArray(value) ? this.#outermost(value) : this.#comparison.parse(value);
    if (best === undefined) return 0;
    let low = 0;
    let high = this.#limits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = compare(best, (this.#limits[middle] as Limit<T>).limit) * side;
      if (order > 0 || (inclusive && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Where one element of a list matches, the one that is farthest on the right side does. */
  #outermost(list: readonly unknown[]): T | undefined {
    const { parse, compare, side } = this.#comparison;
    let best: T | undefined;
    for (const element of list) {
      const parsed = parse(element);
      if (parsed === undefined) continue;
      if (best === undefined || compare(parsed, best) * side > 0) best = parsed;
    }
    return best;
  }
}
