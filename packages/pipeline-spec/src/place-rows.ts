import type { Span } from "./line-table.js";

/** Key from, key to, value from, value to, and the row after all that is in the value. */
const width = 5;
const none = -1;

/**
 * The values of a document in the order of its text, those inside a value behind it, each with where it stands and where
 * its key does, if it is the value of one. Five numbers each, in one array.
 */
export class PlaceRows {
  private rows: Int32Array;
  /** How many rows there are. */
  count = 0;

  /** @param textLength  how much text they are for */
  constructor(textLength: number) {
    // That is how many values ordinary files have.
    this.rows = new Int32Array((16 + (textLength >> 5)) * width);
  }

  /** Begins a value, with its key from `keyStart` to `keyEnd` or -1, and gives its row. */
  open(keyStart: number, keyEnd: number, start: number): number {
    const row = this.count++;
    const at = row * width;
    if (at === this.rows.length) this.grow();
    const { rows } = this;
    rows[at] = keyStart;
    rows[at + 1] = keyEnd;
    rows[at + 2] = start;
    return row;
  }

  /** Ends a value after what is in it. */
  close(row: number, end: number): void {
    this.rows[row * width + 3] = end;
    this.rows[row * width + 4] = this.count;
  }

  /** Adds a value with nothing in it. */
  add(keyStart: number, keyEnd: number, start: number, end: number): number {
    const row = this.open(keyStart, keyEnd, start);
    this.close(row, end);
    return row;
  }

  /** Gives back the memory that is left over, if it is much. */
  trim(): this {
    const used = this.count * width;
    if (used < this.rows.length * 0.75) this.rows = this.rows.slice(0, used);
    return this;
  }

  /** Puts everything where `offsetOf` says. */
  move(offsetOf: (at: number) => number): this {
    for (let row = 0; row < this.count; row++) {
      const at = row * width;
      for (let place = at; place < at + 4; place++) {
        const old = this.rows[place] ?? none;
        if (old !== none) this.rows[place] = offsetOf(old);
      }
    }
    return this;
  }

  keyOf(row: number): Span | undefined {
    const start = this.rows[row * width] ?? none;
    return start === none ? undefined : [start, this.rows[row * width + 1] ?? start];
  }

  valueOf(row: number): Span {
    const start = this.rows[row * width + 2] ?? 0;
    return [start, this.rows[row * width + 3] ?? start];
  }

  /** The rows of what stands directly in a value. */
  childrenOf(row: number): number[] {
    const children: number[] = [];
    const after = this.rows[row * width + 4] ?? 0;
    for (let child = row + 1; child < after; child = this.rows[child * width + 4] ?? after)
      children.push(child);
    return children;
  }

  /** The row that comes last of all that is in a value; its own when there is nothing in it. */
  lastIn(row: number): number {
    return (this.rows[row * width + 4] ?? row + 1) - 1;
  }

  private grow(): void {
    const larger = new Int32Array(Math.ceil((this.rows.length / width) * 1.5) * width);
    larger.set(this.rows);
    this.rows = larger;
  }
}
