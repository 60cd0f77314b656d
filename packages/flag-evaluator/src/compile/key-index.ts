import type { Steps } from "../steps.js";

/** Work is interrupted after so many keys at the earliest. */
const keysAtOnce = 1024;
/** As much as a key and what it takes to list it. */
const perKey = 32;
/** How many numbers a mark has: that of the listing, and the place of the mark that the same key had before, or {@link FIRST}. */
const MARK_WORDS = 2;
const FIRST = -1;

/** Finds by kind and key who lists a context: one look-up instead of one for each flag. */
export class KeyIndex<T> {
  /** By kind the last mark of each key. */
  readonly #lastMarks: (Map<string, number> | undefined)[] = [];
  readonly #listings: T[] = [];
  /** Of all keys, one behind the other: a list for each of a hundred thousand keys would be garbage to look after, and take longer to make. */
  #marks: Int32Array<ArrayBuffer> = new Int32Array(64);
  #marked = 0;
  /** How many keys were listed since the work could be interrupted: short lists, too, are many together. */
  #sinceStep = 0;

  /** Lists the keys. */
  *add(kind: number, keys: readonly string[], listing: T): Steps<void> {
    const lastMarks = this.#lastMarks[kind] ?? new Map<string, number>();
    this.#lastMarks[kind] = lastMarks;
    const number = this.#listings.push(listing) - 1;
    for (let from = 0; from < keys.length; from += keysAtOnce) {
      const to = Math.min(from + keysAtOnce, keys.length);
      this.#mark(lastMarks, keys, from, to, number);
      this.#sinceStep += to - from;
      if (this.#sinceStep >= keysAtOnce) {
        const done = this.#sinceStep;
        this.#sinceStep = 0;
        yield done * perKey;
      }
    }
  }

  /** Calls back with all that list the key, in no order. */
  find(kind: number, key: string, visit: (listing: T) => void): void {
    const marks = this.#marks;
    let mark = this.#lastMarks[kind]?.get(key) ?? FIRST;
    for (; mark !== FIRST; mark = marks[mark + 1] ?? FIRST) {
      // Marks have the numbers of listings.
      visit(this.#listings[marks[mark] ?? 0] as T);
    }
  }

  #mark(
    lastMarks: Map<string, number>,
    keys: readonly string[],
    from: number,
    to: number,
    listing: number,
  ): void {
    const marks = this.#reserve(this.#marked + MARK_WORDS * (to - from));
    for (let i = from; i < to; i++) {
      const key = keys[i] ?? "";
      const mark = this.#marked;
      this.#marked += MARK_WORDS;
      marks[mark] = listing;
      marks[mark + 1] = lastMarks.get(key) ?? FIRST;
      lastMarks.set(key, mark);
    }
  }

  #reserve(size: number): Int32Array {
    if (size > this.#marks.length) {
      const grown = new Int32Array(Math.ceil(1.5 * size));
      grown.set(this.#marks);
      this.#marks = grown;
    }
    return this.#marks;
  }
}
