import type { Steps } from "../steps.js";

/**
 * The clauses that put one question to one attribute, all negated or none. They are answered together when the first of
 * them is asked: reading the attribute once is cheaper than going to each of them.
 */
export interface ClauseIndex {
  /** Adds a clause by its slot. */
  add(clause: number, values: readonly unknown[]): Steps<void>;
  /** Writes the verdicts of all clauses for a value. One that is missing never matches, negated or not. */
  answer(memo: Uint8Array, value: unknown): void;
}

/** Work is interrupted after so many values at the earliest. */
const valuesAtOnce = 1024;
/** As much as a value and what it takes to list it. */
const perValue = 32;

/** Does something with each value, many a few at a time. Few, as most clauses have, are done at once. */
export function forEachValue<T>(values: readonly T[], visit: (value: T) => void): Iterable<number> {
  if (values.length >= valuesAtOnce) return inSteps(values, visit);
  for (const value of values) visit(value);
  return nothing;
}

const nothing: readonly number[] = [];

function* inSteps<T>(values: readonly T[], visit: (value: T) => void): Steps<void> {
  for (let from = 0; from < values.length; from += valuesAtOnce) {
    const some = values.slice(from, from + valuesAtOnce);
    for (const value of some) visit(value);
    if (some.length === valuesAtOnce) yield valuesAtOnce * perValue;
  }
}
