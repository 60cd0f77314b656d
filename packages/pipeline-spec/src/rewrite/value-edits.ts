import { quote, yamlLine, yamlLines } from "../print-yaml.js";
import { flowText } from "./flow-edits.js";
import type { PlacedText } from "./placed-text.js";
import type { Splices } from "./splices.js";

// What single quotes can hold in one line.
const quotable = /^[\x20-\x7e\u00a1-\u1fff]*$/;

/** Puts values in the place of others. */
export class ValueEdits {
  readonly #placed: PlacedText;
  readonly #splices: Splices;

  constructor(placed: PlacedText, splices: Splices) {
    this.#placed = placed;
    this.#splices = splices;
  }

  /**
   * @param parent  the list or map that the value is in
   * @param previous  the item before it
   * @param anchor  what aliases are to find the value by, when there was none
   */
  replace(
    row: number,
    value: unknown,
    parent: number | undefined,
    previous: number | undefined,
    anchor?: string,
  ): void {
    const { layout } = this.#placed;
    const [start, end] = this.#placed.spanOf(row);
    const quotes = start === end ? undefined : quotesLike(layout.text[start], value);
    if (quotes !== undefined) this.#splices.replace(start, end, quotes);
    else if (layout.isJson || (parent !== undefined && this.#placed.isFlow(parent)))
      this.#replaceInFlow(row, value, anchor);
    else this.#replaceInBlock(row, value, parent, this.#markOf(row, parent, previous), anchor);
  }

  /** Puts another name in the place of that of an entry. */
  rename(row: number, name: string): void {
    const { layout, rows } = this.#placed;
    const [start, end] = rows.keyOf(row) ?? [0, 0];
    const text = layout.text[start] === '"' ? quote(name) : yamlLine(name);
    this.#splices.replace(start, end, text);
  }

  /** The colon or the dash before a value. */
  #markOf(row: number, parent: number | undefined, previous: number | undefined): number | undefined {
    if (this.#placed.rows.keyOf(row) !== undefined) return this.#placed.colonOf(row);
    return parent === undefined ? undefined : this.#placed.dashOf(parent, previous);
  }

  #replaceInFlow(row: number, value: unknown, anchor: string | undefined): void {
    const { layout } = this.#placed;
    const [start, end] = this.#placed.spanOf(row);
    const text = behindAnchor(anchor, flowText(value, layout, layout.lineIndent(start)));
    const before = start < end ? "" : this.#placed.colonOf(row) === undefined ? ": " : " ";
    this.#put(start, end, before + text);
  }

  #replaceInBlock(
    row: number,
    value: unknown,
    parent: number | undefined,
    mark: number | undefined,
    anchor: string | undefined,
  ): void {
    const { layout, rows } = this.#placed;
    const span = this.#placed.spanOf(row);
    const [start, valueEnd] = span[0] === span[1] && mark !== undefined ? [mark + 1, mark + 1] : span;
    // The comment in the last line of a block is about what stands there, which goes.
    const end = this.#placed.isBlock(row) ? layout.lineEndAt(valueEnd) : valueEnd;
    // A comment behind the value must not become a part of it.
    const isLineDone = layout.isLineDone(end);
    const indent = layout.indentAt(rows.valueOf(parent ?? row)[0]);
    const style = isLineDone
      ? layout.blocksBefore(end, indent)
      : ({ ...layout.blocks, literals: "none" } as const);
    // Blanks behind the last of several lines could become a part of it.
    const lastEnd = (lines: readonly string[]) =>
      isLineDone && lines.length > 1 ? layout.lineEndAt(end) : end;
    if (mark === undefined || parent === undefined || !layout.isBlank(mark + 1, start)) {
      const isAlone = anchor === undefined && layout.isFirstInLine(start);
      const place = layout.indentAt(start);
      // Only a list may be no further in than its key.
      const isList = Array.isArray(value) && value.length > 0;
      const step = parent === undefined || isList || place.length > indent.length ? "" : layout.blocks.ofMaps;
      const lines = yamlLines(value, "", place + step, style);
      const text = step + layout.ended(lines.join(layout.lineEnd).trimStart(), end);
      if (isAlone) this.#splices.replace(start, lastEnd(lines), text);
      else this.#put(start, end, behindAnchor(anchor, yamlLine(value)));
      return;
    }
    const sign = layout.text.charAt(mark);
    const lines =
      anchor === undefined
        ? yamlLines(value, sign, indent, style)
        : yamlLines(value, `${sign} ${anchor}`, indent, sign === "-" ? { ...style, ofLists: "  " } : style);
    lines[0] += this.#noteIn(start, end);
    const [first = "", ...others] = lines;
    const isInLine = !layout.text.slice(mark, end).includes("\n");
    if (others.length > 0 && isInLine && !isLineDone) {
      // What is behind the value in its line stays behind its key or dash.
      this.#put(mark, end, first);
      const at = layout.lineEndAt(end);
      this.#splices.replace(at, at, others.map((line) => layout.lineEnd + line).join(""));
    } else if (others.length === 0 && start > mark + 1 && !layout.text.slice(mark, start).includes("\n")) {
      // What is behind its colon stays as far behind it.
      this.#put(start, end, first.slice(2));
    } else this.#splices.replace(mark, lastEnd(lines), layout.ended(lines.join(layout.lineEnd), end));
  }

  /** The comment behind the sign of a text in lines of its own. */
  #noteIn(start: number, end: number): string {
    const [note = ""] =
      /(?<=^[|>][-+\d]*)[ \t]+#[^\r\n]*/.exec(this.#placed.layout.text.slice(start, end)) ?? [];
    return note;
  }

  #put(start: number, end: number, text: string): void {
    // A comment that quotes end before needs a blank to be one behind anything else.
    this.#splices.replace(start, end, this.#placed.layout.text[end] === "#" ? `${text} ` : text);
  }
}

function behindAnchor(anchor: string | undefined, text: string): string {
  return anchor === undefined ? text : `${anchor} ${text}`;
}

/** A text in quotes like those that begin with `sign`, if there are any. */
function quotesLike(sign: string | undefined, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (sign === '"') return quote(value);
  return sign === "'" && quotable.test(value) ? `'${value.replaceAll("'", "''")}'` : undefined;
}
