import type { Steps } from "../steps.js";
import { type ClauseIndex, forEachValue } from "./clause-index.js";
import { NO, YES } from "./verdict.js";

/** What is compared instead of a value: the same for what counts as equal, undefined for what equals nothing. */
export type KeyOf = (value: unknown) => unknown;

/** Clauses that ask whether a value equals any of theirs. Most do not match, and are not touched for it. */
export class EqualityIndex implements ClauseIndex {
  readonly #clauses: number[] = [];
  /** The clause that has a value; a list where there are several. */
  readonly #byKey = new Map<unknown, number | number[]>();
  readonly #keyOf: KeyOf;
  readonly #found: number;
  readonly #notFound: number;

  constructor(keyOf: KeyOf, negate: boolean) {
    this.#keyOf = keyOf;
    this.#found = negate ? NO : YES;
    this.#notFound = negate ? YES : NO;
  }

  *add(clause: number, values: readonly unknown[]): Steps<void> {
    this.#clauses.push(clause);
    yield* forEachValue(values, (value) => {
      const key = this.#keyOf(value);
      if (key === undefined) return;
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, clause);
      else if (typeof known !== "number") known.push(clause);
      // A value may be listed twice.
      else if (known !== clause) this.#byKey.set(key, [known, clause]);
    });
  }

  answer(memo: Uint8Array, value: unknown): void {
    const notFound = value === undefined ? NO : this.#notFound;
    for (const clause of this.#clauses) memo[clause] = notFound;
    if (!Array.isArray(value)) this.#answerOne(memo, value);
    else for (const element of value) this.#answerOne(memo, element);
  }

  #answerOne(memo: Uint8Array, value: unknown): void {
    const key = this.#keyOf(value);
    if (key === undefined) return;
    const clauses = this.#byKey.get(key);
    if (clauses === undefined) return;
    if (typeof clauses === "number") memo[clauses] = this.#found;
    else for (const clause of clauses) memo[clause] = this.#found;
  }
}
