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

  add(at: number, weight: number, strength: number): void {
    if (this.shared[at] === 0) this.touched.push(at);
    this.weighted[at] = (this.weighted[at] ?? 0) + weight * strength;
    this.covered[at] = (this.covered[at] ?? 0) + weight;
    this.shared[at] = (this.shared[at] ?? 0) + 1;
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
