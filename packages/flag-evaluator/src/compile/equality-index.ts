import type { Steps } from "../steps.js";
import {
  type ClauseIndex,
  forEachValue,
  type IndexedClause,
  markOf,
  writeFound,
  writeNotFound,
} from "./clause-index.js";

/** What is compared instead of a value: the same for what counts as equal, undefined for what equals nothing. */
export type KeyOf = (value: unknown) => unknown;

/** Clauses that ask whether a value equals any of theirs. Most do not, and are not touched for it. */
export class EqualityIndex implements ClauseIndex {
  readonly #marks: number[] = [];
  /** The mark of the clause that has a value; a list where there are several. */
  readonly #byKey = new Map<unknown, number | number[]>();
  readonly #keyOf: KeyOf;

  constructor(keyOf: KeyOf) {
    this.#keyOf = keyOf;
  }

  *add(clause: IndexedClause, values: readonly unknown[]): Steps<void> {
    const mark = markOf(clause);
    this.#marks.push(mark);
    yield* forEachValue(values, (value) => {
      const key = this.#keyOf(value);
      if (key === undefined) return;
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, mark);
      else if (typeof known !== "number") known.push(mark);
      // A value may be listed twice.
      else if (known !== mark) this.#byKey.set(key, [known, mark]);
    });
  }

  answer(memo: Uint8Array, value: unknown): void {
    const isMissing = value === undefined;
    for (const mark of this.#marks) writeNotFound(memo, mark, isMissing);
    if (!Array.isArray(value)) this.#answerOne(memo, value);
    else for (const element of value) this.#answerOne(memo, element);
  }

  #answerOne(memo: Uint8Array, value: unknown): void {
    const key = this.#keyOf(value);
    if (key === undefined) return;
    const marks = this.#byKey.get(key);
    if (marks === undefined) return;
    if (typeof marks === "number") writeFound(memo, marks);
    else for (const mark of marks) writeFound(memo, mark);
  }
}
