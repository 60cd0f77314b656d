/** Random numbers that are the same in every run (mulberry32), and choices made with them. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below the end. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  hex(digits: number): string {
    return this.list(digits, () => "0123456789abcdef"[this.below(16)]).join("");
  }

  list<T>(length: number, make: (index: number) => T): T[] {
    return Array.from({ length }, (_, index) => make(index));
  }

  /** Up to five different ones of the choices. */
  some<T>(choices: readonly T[]): T[] {
    const count = 1 + this.below(Math.min(5, choices.length));
    const chosen = new Set<T>();
    while (chosen.size < count) chosen.add(this.pick(choices));
    return [...chosen];
  }
}
