import type { Arena } from "./arena.js";

/** Even an empty list has some room, so that there is a view of it. */
const SPARE = 64;

/** A list in an arena. A word of the memory says where it is. */
export class ArenaList {
  readonly #arena: Arena;
  /** The address of the word that says where the list is. */
  readonly word: number;
  #address = 0;
  #capacity = 0;
  #length = 0;

  constructor(arena: Arena, word: number) {
    this.#arena = arena;
    this.word = word;
  }

  /** Makes room for so many bytes, which are zero at first; gives their address. */
  reserve(size: number): number {
    if (size > this.#capacity || this.#capacity === 0) {
      const capacity = size + (size >> 2) + SPARE;
      const address = this.#arena.allocate(capacity);
      this.#arena.bytes.copyWithin(address, this.#address, this.#address + this.#capacity);
      this.#address = address;
      this.#capacity = capacity;
      this.#arena.words[this.word >> 2] = address;
    }
    return this.#address;
  }

  /** The bytes of the list, all zero. `view` is what was got before, zero already; one that was too short is no view of the memory any more. */
  cleared(view: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const { bytes } = this.#arena;
    if (view.buffer === bytes.buffer) return view;
    return bytes.subarray(this.#address, this.#address + this.#capacity).fill(0);
  }

  /** Puts numbers in place of those that are there. */
  replace(numbers: Int32Array): void {
    const at = this.reserve(numbers.length * 4);
    this.#arena.words.set(numbers, at >> 2);
  }

  /** Brings the list up to date with another one that only grows. */
  follow(list: Int32Array | readonly number[], length: number, bytesEach: 4 | 8): void {
    if (length === this.#length) return;
    const at = this.reserve(length * bytesEach) / bytesEach + this.#length;
    const { words, doubles } = this.#arena;
    (bytesEach === 4 ? words : doubles).set(list.slice(this.#length, length), at);
    this.#length = length;
  }
}
