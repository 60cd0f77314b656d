import type { Steps } from "../steps.js";
import { NO, YES } from "./verdict.js";

/** How a value has to stand to one of a clause. */
export type Relation = "=" | "<" | "<=" | ">" | ">=";

/** A clause of an index. */
export interface IndexedClause {
  readonly slot: number;
  readonly relation: Relation;
  readonly negate: boolean;
}

/**
 * The clauses that compare one attribute in one way. They are answered together when the first of them is asked: reading the
 * attribute once is cheaper than going to each of them.
 */
export interface ClauseIndex {
  add(clause: IndexedClause, values: readonly unknown[]): Steps<void>;
  /** Writes the verdicts of all clauses for a value. One that is missing never matches, negated or not. */
  answer(memo: Uint8Array, value: unknown): void;
}

/** A clause as one number: its slot, and in the lowest bit whether it is negated. */
export function markOf({ slot, negate }: IndexedClause): number {
  return 2 * slot + (negate ? 1 : 0);
}

/** Writes the verdict of a clause whose comparison holds. */
export function writeFound(memo: Uint8Array, mark: number): void {
  memo[mark >> 1] = (mark & 1) === 0 ? YES : NO;
}

/** Writes that of one whose comparison does not. */
export function writeNotFound(memo: Uint8Array, mark: number, isMissing: boolean): void {
  memo[mark >> 1] = (mark & 1) === 0 || isMissing ? NO : YES;
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
