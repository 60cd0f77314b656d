import { type IndexedClause, markOf, writeFound, writeNotFound } from "./clause-index.js";

/** What comes before what. */
export interface Order<T> {
  /** What is compared; undefined for values that have no place in the order. */
  readonly parse: (value: unknown) => T | undefined;
  /** Negative when the first comes before the second, 0 when neither does. */
  readonly compare: (a: T, b: T) => number;
}

interface Limit<T> {
  readonly mark: number;
  readonly limit: T;
  /** Whether the limit itself is on the right side. */
  readonly inclusive: boolean;
}

/** The limits of clauses that ask for one side of them. In their order those that match come first: where they end is found by halving. */
export class Limits<T> {
  readonly #order: Order<T>;
  /** -1 for values before a limit, 1 for those behind it. */
  readonly #side: -1 | 1;
  readonly #limits: Limit<T>[] = [];
  /** The marks of the limits, in their order; shorter while new limits are not in their place. */
  #marks: readonly number[] = [];
  /** Those of clauses without a limit. */
  readonly #never: number[] = [];

  constructor(order: Order<T>, side: -1 | 1) {
    this.#order = order;
    this.#side = side;
  }

  add(clause: IndexedClause, limit: T | undefined): void {
    const mark = markOf(clause);
    if (limit === undefined) this.#never.push(mark);
    else this.#limits.push({ mark, limit, inclusive: clause.relation.endsWith("=") });
  }

  /** Whether a value lies on the right side of another one. */
  passes(value: T, other: T): boolean {
    return this.#order.compare(value, other) * this.#side > 0;
  }

  /** Writes the verdicts of all clauses for a value; undefined for one that has no place in the order. */
  answer(memo: Uint8Array, value: T | undefined, isMissing: boolean): void {
    if (this.#marks.length < this.#limits.length) this.#sort();
    const marks = this.#marks;
    const end = value === undefined ? 0 : this.#matching(value);
    for (let i = 0; i < end; i++) writeFound(memo, marks[i] ?? 0);
    for (let i = end; i < marks.length; i++) writeNotFound(memo, marks[i] ?? 0, isMissing);
    for (const mark of this.#never) writeNotFound(memo, mark, isMissing);
  }

  #sort(): void {
    this.#limits.sort(
      (a, b) =>
        this.#order.compare(a.limit, b.limit) * this.#side || Number(b.inclusive) - Number(a.inclusive),
    );
    this.#marks = this.#limits.map(({ mark }) => mark);
  }

  /** How many clauses match. */
  #matching(value: T): number {
    const { compare } = this.#order;
    let low = 0;
    let high = this.#limits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { limit, inclusive } = this.#limits[middle] as Limit<T>;
      const order = compare(value, limit) * this.#side;
      if (order > 0 || (inclusive && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
