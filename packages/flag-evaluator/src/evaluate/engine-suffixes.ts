import type { HashSuffix } from "../sha1.js";
import type { Arena } from "./arena.js";
import type { EngineLists } from "./engine-lists.js";

/** So many attributes of one context. More, and longer ones, are left to the host. */
const MAX_SUFFIXES = 16;
const MAX_LENGTH = 100;
/** How many words one has, however it is shifted. */
const SHIFTED_WORDS = 28;
/** Its length, how many words there are for each shift, and these. */
const WORDS = 1 + 4 + 4 * SHIFTED_WORDS;

/** What the attributes of a context add to messages that are hashed, as `engine/sha1.ts` reads it. */
export class EngineSuffixes {
  readonly #arena: Arena;
  readonly #lists: EngineLists;
  readonly #first: number;
  #count = 0;

  constructor(arena: Arena, lists: EngineLists) {
    this.#arena = arena;
    this.#lists = lists;
    this.#first = arena.allocate(MAX_SUFFIXES * WORDS * 4) >> 2;
  }

  /** Forgets all of them, for a context with so many attributes. */
  clear(attributes: number): void {
    const at = this.#lists.suffixes.reserve(attributes * 4) >> 2;
    this.#arena.words.fill(0, at, at + attributes);
    this.#count = 0;
  }

  /** Notes the suffix of an attribute, `undefined` if it has none; gives where it is, or 0 if there is no room. */
  add(attribute: number, suffix: HashSuffix | undefined): number {
    if (this.#count === MAX_SUFFIXES || (suffix?.length ?? 0) > MAX_LENGTH) return 0;
    const at = this.#first + this.#count++ * WORDS;
    this.#arena.words[(this.#lists.suffixes.reserve(0) >> 2) + attribute] = at * 4;
    this.#arena.words[at] = suffix?.length ?? -1;
    if (suffix !== undefined)
      for (let shift = 0; shift < 4; shift++) this.#writeShifted(at, suffix.words, shift);
    return at * 4;
  }

  #writeShifted(at: number, suffix: readonly number[], shift: number): void {
    const { words } = this.#arena;
    const first = at + 5 + shift * SHIFTED_WORDS;
    let to = first;
    let carry = 0;
    for (const word of suffix) {
      words[to++] = carry | (word >>> (8 * shift));
      carry = shift === 0 ? 0 : word << (32 - 8 * shift);
    }
    if (carry !== 0) words[to++] = carry;
    words[at + 1 + shift] = to - first;
  }
}
