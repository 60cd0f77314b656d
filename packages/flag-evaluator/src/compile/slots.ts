/** Gives each name a number of its own, counting from zero, so that what is known of names can be kept in arrays. */
export class Slots {
  readonly #slots = new Map<string, number>();
  readonly #names: string[] = [];

  get size(): number {
    return this.#names.length;
  }

  /** The number of that name; a new one if it has none yet. */
  of(name: string): number {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = this.#names.length;
    this.#slots.set(name, slot);
    this.#names.push(name);
    return slot;
  }

  /** The number of that name, if it has one. */
  find(name: string): number | undefined {
    return this.#slots.get(name);
  }

  /** The name with that number. */
  name(slot: number): string {
    return this.#names[slot] ?? "";
  }
}
