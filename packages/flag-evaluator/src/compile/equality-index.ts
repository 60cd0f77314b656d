import type { Steps } from "../steps.js";
import { NO, YES } from "./verdict.js";

/** Work is interrupted after so many values at the earliest. */
const valuesAtOnce = 1024;
/** As much as a value and what it takes to list it. */
const perValue = 32;

/**
 * The clauses that ask whether one attribute equals any of their values (`in`), all negated or none. They are answered
 * together, by looking up the value of a context once: most of them do not match, and are not touched for it.
 */
export class EqualityIndex {
  readonly #clauses: number[] = [];
  /** The clause that has a value; a list where there are several. */
  readonly #byValue = new Map<unknown, number | number[]>();
  readonly #found: number;
  readonly #notFound: number;

  constructor(negate: boolean) {
    this.#found = negate ? NO : YES;
    this.#notFound = negate ? YES : NO;
  }

  /** Adds a clause by its slot. Only primitives can be equal; a Map tells them apart without coercion, as JSON does. */
  *add(clause: number, values: readonly unknown[]): Steps<void> {
    this.#clauses.push(clause);
    for (const [place, value] of values.entries()) {
      if (place % valuesAtOnce === valuesAtOnce - 1) yield valuesAtOnce * perValue;
      if (typeof value === "object") continue;
      const known = this.#byValue.get(value);
      if (known === undefined) this.#byValue.set(value, clause);
      else if (typeof known !== "number") known.push(clause);
      // A value may be listed twice.
      else if (known !== clause) this.#byValue.set(value, [known, clause]);
    }
  }

  /** Writes the verdicts of all clauses for a value. One that is missing never matches, negated or not. */
  answer(memo: Uint8Array, value: unknown): void {
    const notFound = value === undefined ? NO : this.#notFound;
    for (const clause of this.#clauses) memo[clause] = notFound;
    if (!Array.isArray(value)) this.#answerOne(memo, value);
    else for (const element of value) this.#answerOne(memo, element);
  }

  #answerOne(memo: Uint8Array, value: unknown): void {
    const clauses = this.#byValue.get(value);
    if (clauses === undefined) return;
    if (typeof clauses === "number") memo[clauses] = this.#found;
    else for (const clause of clauses) memo[clause] = this.#found;
  }
}
