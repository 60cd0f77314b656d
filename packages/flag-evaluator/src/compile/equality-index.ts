import { NO, YES } from "./verdict.js";

/**
 * The clauses that ask whether one attribute equals any of their values (`in`), all negated or none. They are answered
 * together, by looking up the value of a context once: most of them do not match, and are not touched for it.
 */
export class EqualityIndex {
  readonly #clauses: number[] = [];
  readonly #byValue = new Map<unknown, number[]>();
  readonly #found: number;
  readonly #notFound: number;

  constructor(negate: boolean) {
    this.#found = negate ? NO : YES;
    this.#notFound = negate ? YES : NO;
  }

  /** Adds a clause by its slot. Only primitives can be equal; a Map tells them apart without coercion, as JSON does. */
  add(clause: number, values: readonly unknown[]): void {
    this.#clauses.push(clause);
    for (const value of new Set(values)) {
      if (typeof value === "object") continue;
      const clauses = this.#byValue.get(value);
      if (clauses === undefined) this.#byValue.set(value, [clause]);
      else clauses.push(clause);
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
    for (const clause of clauses) memo[clause] = this.#found;
  }
}
