import { checkArguments } from "./check-arguments.js";
import type { Position, Range } from "./problem.js";

/** A stretch of a text, as offsets. */
export type Span = readonly [start: number, end: number];

/** Turns offsets into lines and columns, as editors count them; the text is looked through when the first is asked for. */
export class LineTable {
  private readonly text: string;
  private starts: number[] | undefined;

  constructor(text: string) {
    checkArguments("LineTable", "text", { text });
    this.text = text;
  }

  range([start, end]: Span): Range {
    return { start: this.position(start), end: this.position(end) };
  }

  private position(offset: number): Position {
    const starts = this.lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { offset, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  private lineStarts(): readonly number[] {
    if (this.starts === undefined) {
      this.starts = [0];
      for (const { index, 0: end } of this.text.matchAll(/\r\n|[\r\n]/g))
        this.starts.push(index + end.length);
    }
    return this.starts;
  }
}
