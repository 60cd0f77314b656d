import { yamlLines } from "../print-yaml.js";
import type { MemberChanges } from "./document-edits.js";
import type { PlacedText } from "./placed-text.js";
import type { Splices } from "./splices.js";

/** Puts lines into maps and lists whose members stand in lines of their own, and takes lines out. */
export class BlockEdits {
  readonly #placed: PlacedText;
  readonly #splices: Splices;

  constructor(placed: PlacedText, splices: Splices) {
    this.#placed = placed;
    this.#splices = splices;
  }

  change(parent: number, { members, removed, added }: MemberChanges): void {
    const starts = members.map((row, index) => this.#startOf(parent, row, members[index - 1]));
    const firstKept = members.findIndex((row) => !removed.has(row));
    this.#remove(members, removed, starts, firstKept);
    const { layout } = this.#placed;
    const indent = layout.indentAt(this.#placed.rows.valueOf(parent)[0]);
    for (const { behind, name, value } of added) {
      const member = name === undefined ? [value] : { [name]: value };
      const text = yamlLines(member, "", indent, layout.blocks).join(layout.lineEnd);
      if (behind === undefined) this.#insertBefore(starts[firstKept] ?? 0, text, indent);
      else this.#insertLines(layout.nextLine(this.#placed.endOf(behind)), text);
    }
  }

  #startOf(parent: number, row: number, previous: number | undefined): number {
    const start = this.#placed.startOf(row);
    return this.#placed.rows.keyOf(row) === undefined
      ? (this.#placed.dashOf(parent, previous) ?? start)
      : start;
  }

  #remove(
    members: readonly number[],
    removed: ReadonlySet<number>,
    starts: readonly number[],
    firstKept: number,
  ): void {
    const { layout } = this.#placed;
    const [first = 0] = starts;
    let from = 0;
    if (firstKept > 0 && !layout.isFirstInLine(first)) {
      // What stays comes to stand behind the dash or key before them.
      const [kept = first, last = first] = [
        starts[firstKept],
        this.#placed.endOf(members[firstKept - 1] ?? 0),
      ];
      this.#splices.replace(first, layout.isBlank(last, kept) ? kept : last, "");
      from = firstKept;
    }
    for (const [index, row] of members.entries()) {
      if (index < from || !removed.has(row)) continue;
      const start = layout.lineStart(starts[index] ?? first);
      this.#splices.replace(start, layout.nextLine(this.#placed.endOf(row)), "");
    }
  }

  #insertBefore(at: number, lines: string, indent: string): void {
    this.#splices.replace(at, at, `${lines.slice(indent.length)}${this.#placed.layout.lineEnd}${indent}`);
  }

  #insertLines(at: number, lines: string): void {
    const { layout } = this.#placed;
    const { text, lineEnd } = layout;
    const isLineOpen = at === text.length && !text.endsWith("\n");
    const after = isLineOpen ? `${lineEnd}${layout.ended(lines, at)}` : `${lines}${lineEnd}`;
    this.#splices.replace(at, at, after);
  }
}
