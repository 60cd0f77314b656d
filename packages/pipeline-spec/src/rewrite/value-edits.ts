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
   */
  replace(row: number, value: unknown, parent: number | undefined, previous: number | undefined): void {
    const { layout } = this.#placed;
    const [start, end] = this.#placed.spanOf(row);
    const quotes = start === end ? undefined : quotesLike(layout.text[start], value);
    if (quotes !== undefined) this.#splices.replace(start, end, quotes);
    else if (layout.isJson || (parent !== undefined && this.#placed.isFlow(parent)))
      this.#replaceInFlow(row, value);
    else this.#replaceInBlock(row, value, parent, this.#markOf(row, parent, previous));
  }

  /** The colon or the dash before a value. */
  #markOf(row: number, parent: number | undefined, previous: number | undefined): number | undefined {
    if (this.#placed.rows.keyOf(row) !== undefined) return this.#placed.colonOf(row);
    return parent === undefined ? undefined : this.#placed.dashOf(parent, previous);
  }

  #replaceInFlow(row: number, value: unknown): void {
    const { layout } = this.#placed;
    const [start, end] = this.#placed.spanOf(row);
    const text = flowText(value, layout, layout.lineIndent(start));
    const before = start < end ? "" : this.#placed.colonOf(row) === undefined ? ": " : " ";
    this.#splices.replace(start, end, before + text);
  }

  #replaceInBlock(row: number, value: unknown, parent: number | undefined, mark: number | undefined): void {
    const { layout, rows } = this.#placed;
    const span = this.#placed.spanOf(row);
    const [start, end] = span[0] === span[1] && mark !== undefined ? [mark + 1, mark + 1] : span;
    // A comment behind the value must not become a part of it.
    const isLineDone = layout.isBlank(end, layout.nextLine(end));
    const style = isLineDone ? layout.blocks : ({ ...layout.blocks, literals: "none" } as const);
    if (mark === undefined || parent === undefined || !layout.isBlank(mark + 1, start)) {
      const lines = yamlLines(value, "", layout.indentAt(start), style).join(layout.lineEnd).trimStart();
      this.#splices.replace(
        start,
        end,
        layout.isFirstInLine(start) ? layout.ended(lines, end) : yamlLine(value),
      );
      return;
    }
    const sign = layout.text.charAt(mark);
    const lines = yamlLines(value, sign, layout.indentAt(rows.valueOf(parent)[0]), style);
    const [first = ""] = lines;
    // What is behind its colon stays as far behind it.
    const isInLine = lines.length === 1 && start > mark + 1 && !layout.text.slice(mark, start).includes("\n");
    if (isInLine) this.#splices.replace(start, end, first.slice(sign.length + 1));
    else this.#splices.replace(mark, end, layout.ended(lines.join(layout.lineEnd), end));
  }
}

/** A text in quotes like those that begin with `sign`, if there are any. */
function quotesLike(sign: string | undefined, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (sign === '"') return quote(value);
  return sign === "'" && quotable.test(value) ? `'${value.replaceAll("'", "''")}'` : undefined;
}
