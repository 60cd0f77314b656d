const nothing = new Uint32Array(0);

/** A list of whole numbers that only grows. An array of typed memory takes half of what one of JavaScript's takes. */
export class GrowingList {
  #items: Uint32Array = nothing;
  #length = 0;

  constructor(...items: readonly number[]) {
    for (const item of items) this.push(item);
  }

  get length(): number {
    return this.#length;
  }

  /** What is in the list, and behind its end what is not. */
  get items(): Uint32Array {
    return this.#items;
  }

  /** Where a number stands first; -1 if nowhere. */
  indexOf(item: number): number {
    return this.#items.subarray(0, this.#length).indexOf(item);
  }

  push(item: number): void {
    this.set(this.#length, item);
  }

  /** Puts a number in its place; between that and the former end are zeros. */
  set(at: number, item: number): void {
    if (at >= this.#items.length) {
      const grown = new Uint32Array(Math.max(at + 1, 4, Math.ceil(this.#items.length * 1.5)));
      grown.set(this.#items);
      this.#items = grown;
    }
    this.#items[at] = item;
    if (at >= this.#length) this.#length = at + 1;
  }
}
