import type { GrowingList } from "./growing-list.js";

/**
 * What queries add up per vehicle or per group. The columns are reused by every query, since searches run one after the
 * other: who has been touched is put back to zero.
 */
export class Sums {
  weighted: Float64Array = new Float64Array(0);
  covered: Float64Array = new Float64Array(0);
  /** How many pieces it has in common with the query. */
  shared: Uint16Array = new Uint16Array(0);
  /** What whole fields add, and how much of "brand and model" they name. */
  bonus: Float64Array = new Float64Array(0);
  named: Uint8Array = new Uint8Array(0);
  /** Everyone with a piece of the query, once. */
  readonly touched: number[] = [];

  /** Makes room for so many. */
  fit(length: number): void {
    if (length <= this.shared.length) return;
    const room = Math.ceil(length * 1.25);
    this.weighted = new Float64Array(room);
    this.covered = new Float64Array(room);
    this.shared = new Uint16Array(room);
    this.bonus = new Float64Array(room);
    this.named = new Uint8Array(room);
  }

  /** Adds a piece of this weight to all who have it, as strong as the field that they have it in. */
  addAll({ items, length }: GrowingList, weight: number, strength: number): void {
    const { weighted, covered, shared, touched } = this;
    for (let row = 0; row < length; row++) {
      const at = items[row] ?? 0;
      if (shared[at] === 0) touched.push(at);
      weighted[at] = (weighted[at] ?? 0) + weight * strength;
      covered[at] = (covered[at] ?? 0) + weight;
      shared[at] = (shared[at] ?? 0) + 1;
    }
  }

  reward(at: number, bonus: number, named: number): void {
    this.bonus[at] = (this.bonus[at] ?? 0) + bonus;
    this.named[at] = (this.named[at] ?? 0) + named;
  }

  reset(): void {
    for (const at of this.touched) {
      this.weighted[at] = 0;
      this.covered[at] = 0;
      this.shared[at] = 0;
    }
    this.touched.length = 0;
  }
}
