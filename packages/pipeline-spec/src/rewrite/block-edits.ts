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
    const { layout } = this.#placed;
    const indent = layout.indentAt(this.#placed.rows.valueOf(parent)[0]);
    this.#remove(members, removed, starts, firstKept);
    this.#closeLines(members, removed, indent);
    const front = starts[firstKept] ?? 0;
    const above = layout.aboveComments(front, firstKept > 0 ? (starts[firstKept - 1] ?? 0) : 0);
    for (const { behind, name, value } of added) {
      const member = name === undefined ? [value] : { [name]: value };
      const last = behind === undefined ? (above ?? front) - 1 : this.#placed.endOf(behind);
      const text = yamlLines(member, "", indent, layout.blocksBefore(last, indent)).join(layout.lineEnd);
      if (behind !== undefined) this.#insertLines(layout.nextLine(last), text);
      else if (above !== undefined) this.#splices.replace(above, above, text + layout.lineEnd);
      else this.#splices.replace(front, front, `${text.slice(indent.length)}${layout.lineEnd}${indent}`);
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
      from = this.#removeFirst(members.slice(0, firstKept), starts);
    }
    for (const [index, row] of members.entries()) {
      if (index < from || !removed.has(row)) continue;
      const start = layout.lineStart(starts[index] ?? first);
      this.#splices.replace(start, layout.nextLine(this.#placed.endOf(row)), "");
    }
  }

  /** Removes the first members, that stand behind a dash, and gives the number of those that were taken out with their comments. */
  #removeFirst(members: readonly number[], starts: readonly number[]): number {
    const { layout } = this.#placed;
    const [[first = 0], end] = [starts, this.#placed.endOf(members[0] ?? 0)];
    const isOneLine = layout.lineStart(first) === layout.lineStart(end);
    const hasComments = members.some((row, index) => {
      const gap = layout.text.slice(this.#placed.endOf(row), starts[index + 1]);
      return /\n[ \t]*#/.test(gap) || (index === 0 && isOneLine && /^[ \t]*#/.test(gap));
    });
    if (hasComments) {
      this.#splices.replace(first, isOneLine ? end : layout.lineEndAt(end), "");
      return 1;
    }
    // What stays comes to stand behind the dash.
    this.#splices.replace(first, starts[members.length] ?? end, "");
    return members.length;
  }

  /** Keeps comments and empty lines behind what is removed from becoming a part of the lines of a text before it. */
  #closeLines(members: readonly number[], removed: ReadonlySet<number>, indent: string): void {
    const { layout } = this.#placed;
    let open: number | undefined;
    for (const [index, row] of members.entries()) {
      if (!removed.has(row)) {
        const next = members[index + 1];
        const isNext =
          next !== undefined &&
          !layout.text.slice(this.#placed.endOf(row), this.#placed.startOf(next)).includes("#");
        open = isNext && this.#placed.endsWithLines(row) ? row : undefined;
        continue;
      }
      if (open === undefined) continue;
      const keepsEmpty = this.#placed.keepsEmptyLines(open);
      for (const { start, text } of layout.idleLines(this.#placed.endOf(row))) {
        const isComment = layout.text[text] === "#";
        if (!isComment && keepsEmpty) this.#splices.replace(start, layout.nextLine(start), "");
        else if (text - start > indent.length) this.#splices.replace(start, text, isComment ? indent : "");
        if (!isComment) continue;
        open = undefined;
        break;
      }
    }
  }

  #insertLines(at: number, lines: string): void {
    const { layout } = this.#placed;
    const { text, lineEnd } = layout;
    const isLineOpen = at === text.length && !text.endsWith("\n");
    const after = isLineOpen ? `${lineEnd}${layout.ended(lines, at)}` : `${lines}${lineEnd}`;
    this.#splices.replace(at, at, after);
  }
}
