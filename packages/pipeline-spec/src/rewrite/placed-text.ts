import type { Span } from "../line-table.js";
import type { PlaceRows } from "../place-rows.js";
import type { Places } from "../places.js";
import type { TextLayout } from "./text-layout.js";

/** A header of lines to which the empty ones behind them belong. */
const openEnd = /[|>][1-9]?\+/y;

/** The values of a document as stretches of its text. */
export class PlacedText {
  readonly layout: TextLayout;
  readonly places: Places;
  readonly rows: PlaceRows;

  constructor(layout: TextLayout, places: Places) {
    this.layout = layout;
    this.places = places;
    this.rows = places.rows;
  }

  /** Where the key of an entry begins, with a question mark before it, or an item or anything else. */
  startOf(row: number): number {
    const key = this.rows.keyOf(row);
    if (key === undefined) return this.rows.valueOf(row)[0];
    const sign = this.layout.trimLine(key[0]) - 1;
    return sign < key[0] - 1 && this.layout.text[sign] === "?" ? sign : key[0];
  }

  /** Where a value stands, with the empty lines that belong to it; where it would stand, when there is nothing. */
  spanOf(row: number): Span {
    const [start, end] = this.rows.valueOf(row);
    if (start !== end) return [start, this.#withEmptyLines(row, this.layout.trimEnd(start, end))];
    const key = this.rows.keyOf(row);
    const colon = this.colonOf(row);
    const at = colon === undefined ? (key?.[1] ?? start) : colon + 1;
    return [at, at];
  }

  endOf(row: number): number {
    return this.spanOf(row)[1];
  }

  /** The place of the colon behind a key. */
  colonOf(row: number): number | undefined {
    const key = this.rows.keyOf(row);
    if (key === undefined) return undefined;
    const at = this.layout.skipBlank(key[1]);
    return this.layout.text[at] === ":" ? at : undefined;
  }

  /** The place of the dash before an item of a block, which stands behind the item `previous`, or first in the list. */
  dashOf(list: number, previous: number | undefined): number | undefined {
    const at =
      previous === undefined ? this.rows.valueOf(list)[0] : this.layout.skipComments(this.endOf(previous));
    return this.layout.text[at] === "-" ? at : undefined;
  }

  /** What a value is made of: entries, items, or neither. */
  kindOf(row: number): "map" | "list" | undefined {
    const [first] = this.rows.childrenOf(row);
    if (first !== undefined) return this.rows.keyOf(first) === undefined ? "list" : "map";
    const start = this.layout.text[this.rows.valueOf(row)[0]];
    return start === "{" ? "map" : start === "[" ? "list" : undefined;
  }

  /** True for a value in brackets. */
  isFlow(row: number): boolean {
    const start = this.layout.text[this.rows.valueOf(row)[0]];
    return start === "{" || start === "[";
  }

  /** True for a map or list whose members stand in lines of their own. */
  isBlock(row: number): boolean {
    return this.kindOf(row) !== undefined && !this.isFlow(row);
  }

  /** True for what stands for another value. */
  isAlias(row: number): boolean {
    return this.layout.text[this.rows.valueOf(row)[0]] === "*";
  }

  /** True for what ends with lines behind a `|` or `>`, to which others could come to belong. */
  endsWithLines(row: number): boolean {
    const [start, end] = this.rows.valueOf(this.rows.lastIn(row));
    return /^[|>]/.test(this.layout.text.slice(start, Math.min(end, start + 1)));
  }

  /** The collection that a value is in, and what stands before it there. */
  surroundingsOf(row: number): {
    readonly parent: number | undefined;
    readonly previous: number | undefined;
  } {
    let [parent, previous]: [number | undefined, number | undefined] = [undefined, undefined];
    for (let at = 0; at !== row; ) {
      const children = this.rows.childrenOf(at);
      const index = children.findLastIndex((child) => child <= row);
      [parent, previous] = [at, children[index - 1]];
      at = children[index] ?? row;
    }
    return { parent, previous };
  }

  /** True for lines to which all empty ones behind them belong. */
  keepsEmptyLines(row: number): boolean {
    openEnd.lastIndex = this.rows.valueOf(this.rows.lastIn(row))[0];
    return openEnd.test(this.layout.text);
  }

  #withEmptyLines(row: number, end: number): number {
    const { layout } = this;
    if (!this.keepsEmptyLines(row)) return end;
    let last = end;
    for (let line = layout.nextLine(end); line < layout.text.length; line = layout.nextLine(line)) {
      const next = layout.nextLine(line);
      if (!layout.isBlank(line, next)) break;
      last = layout.text[next - 1] === "\n" ? next - layout.lineEnd.length : next;
    }
    return last;
  }
}
