import type { Span } from "../line-table.js";
import { escapeOdd, quote, yamlLine } from "../print-yaml.js";
import type { MemberChanges } from "./document-edits.js";
import type { PlacedText } from "./placed-text.js";
import type { Splices } from "./splices.js";
import type { TextLayout } from "./text-layout.js";

/** Puts members into maps and lists in brackets, and takes some out. */
export class FlowEdits {
  readonly #placed: PlacedText;
  readonly #splices: Splices;

  constructor(placed: PlacedText, splices: Splices) {
    this.#placed = placed;
    this.#splices = splices;
  }

  change(parent: number, { members, removed, added }: MemberChanges): void {
    const starts = members.map((_, index) => this.#startOf(parent, members, index));
    const last = members.findLastIndex((row) => !removed.has(row));
    const isOpen = this.#commaBehind(members.at(-1) ?? 0) !== undefined;
    const comma = this.#likeComma(members, starts);
    const losesComma = last < members.length - 1 && !isOpen;
    // What comes in a line behind the last that stays needs its comma.
    const isFollowed =
      losesComma &&
      added.some(({ behind }) => behind === members[last]) &&
      this.#isOpenLine(members[last], comma);
    const gone = members.flatMap((row, index): Span[] => {
      const isLastNow = index === last && losesComma && !isFollowed;
      const comma = removed.has(row) || isLastNow ? this.#commaBehind(row) : undefined;
      const spans: Span[] = removed.has(row) ? [[starts[index] ?? 0, this.#placed.endOf(row)]] : [];
      return comma === undefined ? spans : [...spans, [comma, comma + 1]];
    });
    for (const span of joined(gone, this.#placed.layout)) this.#remove(span);
    const isGone = new Set(gone.map(([start]) => start));
    for (const [behind, texts] of this.#textsByPlace(members, added, comma)) {
      if (last === -1) this.#addBeforeEnd(parent, texts);
      else if (behind === undefined) {
        const index = members.findIndex((row) => !removed.has(row));
        const before = index > 0 ? this.#placed.endOf(members[index - 1] ?? 0) : 0;
        this.#addInFront(starts[index] ?? 0, before, texts, comma);
      } else this.#addBehind(behind, texts, comma, isGone, isFollowed && behind === members[last]);
    }
  }

  /** True when there are comments between brackets that are not in the lines of members. */
  hasComments(parent: number, members: readonly number[]): boolean {
    const { layout, rows } = this.#placed;
    const [start, end] = rows.valueOf(parent);
    const ends = members.map((row) => this.#placed.endOf(row));
    return [start + 1, ...ends].some((from, index) => {
      const member = members[index];
      const gap = layout.text.slice(from, member === undefined ? end : this.#placed.startOf(member));
      return /\n[ \t,]*#/.test(gap) || (index === 0 && gap.includes("#"));
    });
  }

  /** Where a member begins, with an anchor or a tag before it. */
  #startOf(parent: number, members: readonly number[], index: number): number {
    const { layout, rows } = this.#placed;
    const previous = members[index - 1];
    const sign = previous === undefined ? rows.valueOf(parent)[0] : this.#commaBehind(previous);
    const start = this.#placed.startOf(members[index] ?? 0);
    return sign === undefined ? start : Math.min(start, layout.skipComments(sign + 1));
  }

  /** Takes out what stands in a line, and the line with its comment where nothing else stands in it. */
  #remove([start, end]: Span): void {
    const { layout } = this.#placed;
    const isFirst = layout.isFirstInLine(start);
    const next = layout.skipInLine(end);
    const isLast = layout.isLineDone(next) || layout.text[next] === "#";
    const from = layout.trimLine(start);
    if (isFirst && isLast) this.#splices.replace(layout.lineStart(start), layout.nextLine(end), "");
    else if (isLast) {
      // The comment of a last line in which nothing stays is about what was there.
      const isOneLine = layout.lineStart(start) === layout.lineStart(end);
      const blank = layout.text[end] === "#" ? " " : "";
      this.#splices.replace(from, isOneLine ? end : layout.lineEndAt(end), isOneLine ? blank : "");
    } else if (isFirst || layout.text[end - 1] === ",") this.#splices.replace(start, next, "");
    else this.#splices.replace(from, end, "");
  }

  /** The texts of new members, together where they come to stand at one place. */
  #textsByPlace(
    members: readonly number[],
    added: MemberChanges["added"],
    comma: string,
  ): ReadonlyMap<number | undefined, readonly string[]> {
    const { layout } = this.#placed;
    const indent = /\n([ \t]*)$/.exec(comma)?.[1];
    const texts = new Map<number | undefined, string[]>();
    for (const { behind, name, value } of added) {
      const at = this.#placed.startOf(behind ?? members[0] ?? 0);
      const text = flowText(value, layout, indent ?? layout.lineIndent(at));
      const member = name === undefined ? text : `${this.#keyLike(members, name)}${text}`;
      const known = texts.get(behind);
      if (known === undefined) texts.set(behind, [member]);
      else known.push(member);
    }
    return texts;
  }

  #addInFront(start: number, before: number, texts: readonly string[], comma: string): void {
    const { layout } = this.#placed;
    const above = layout.aboveComments(start, before);
    if (above === undefined) {
      this.#splices.replace(start, start, texts.map((text) => text + comma).join(""));
    } else {
      const lines = texts.map((text) => `${layout.lineIndent(start)}${text},${layout.lineEnd}`);
      this.#splices.replace(above, above, lines.join(""));
    }
  }

  /** Adds members to brackets in which nothing but comments stays. */
  #addBeforeEnd(parent: number, texts: readonly string[]): void {
    const { layout } = this.#placed;
    const end = this.#placed.endOf(parent) - 1;
    if (layout.isFirstInLine(end)) {
      const above = layout.skipInLine(layout.lineStart(layout.lineStart(end) - 1));
      const outside = layout.lineIndent(this.#placed.rows.valueOf(parent)[0]);
      const isLike = layout.text[above] === "#" && layout.lineIndent(above).length > outside.length;
      const indent = isLike ? layout.lineIndent(above) : `${layout.lineIndent(end)}  `;
      const lines = texts.map((text) => `${indent}${text}`).join(`,${layout.lineEnd}`);
      const at = layout.lineStart(end);
      this.#splices.replace(at, at, `${lines}${layout.lineEnd}`);
    } else this.#splices.replace(end, end, `${texts.join(", ")}${layout.text[end - 1] === " " ? " " : ""}`);
  }

  /** True for a member with its comma behind which nothing but a comment is in its line. */
  #isOpenLine(row: number | undefined, comma: string): boolean {
    if (row === undefined) return false;
    const place = this.#commaBehind(row);
    const isBeside = place !== undefined && this.#placed.layout.skipInLine(this.#placed.endOf(row)) === place;
    return isBeside && this.#endsLine(this.#placed.layout.skipInLine(place + 1), comma);
  }

  /** True where a line ends with a comment, or without one where members stand in lines of their own. */
  #endsLine(at: number, comma: string): boolean {
    const { layout } = this.#placed;
    return layout.text[at] === "#" || (comma.includes("\n") && layout.isLineDone(at));
  }

  /** @param isLast  whether the members behind it go, and leave it their place */
  #addBehind(
    row: number,
    texts: readonly string[],
    comma: string,
    isGone: ReadonlySet<number>,
    isLast: boolean,
  ): void {
    const { layout } = this.#placed;
    const end = this.#placed.endOf(row);
    const found = this.#commaBehind(row);
    const place = found === undefined || isGone.has(found) ? undefined : found;
    const isBeside = place !== undefined && layout.skipInLine(end) === place;
    const next = layout.skipInLine(isBeside ? place + 1 : end);
    if (!this.#endsLine(next, comma)) {
      this.#splices.replace(end, end, texts.map((text) => comma + text).join(""));
      return;
    }
    // What is behind the member in its line is about the member.
    const start = this.#placed.startOf(row);
    const lineIndent = layout.lineIndent(start);
    const indent =
      /\n([ \t]*)$/.exec(comma)?.[1] ?? (layout.isFirstInLine(start) ? lineIndent : `${lineIndent}  `);
    const lines = texts.join(`,${layout.lineEnd}${indent}`);
    if (place === undefined) this.#splices.replace(end, end, ",");
    const [first, last] = isBeside ? ["", isLast ? "" : ","] : [place === undefined ? "" : ", ", ""];
    const at = layout.nextLine(next);
    this.#splices.replace(at, at, `${indent}${first}${lines}${last}${layout.lineEnd}`);
  }

  #commaBehind(row: number): number | undefined {
    const { layout } = this.#placed;
    const at = layout.skipComments(this.#placed.endOf(row));
    return layout.text[at] === "," ? at : undefined;
  }

  /** What stands between two members. */
  #likeComma([first]: readonly number[], [start = 0, second]: readonly number[]): string {
    const { layout } = this.#placed;
    if (first === undefined) return ", ";
    const between = second === undefined ? "" : layout.text.slice(this.#placed.endOf(first), second);
    const next = second ?? start;
    if (/^\s*,\s*$/.test(between)) return between;
    return layout.isFirstInLine(next) ? `,${layout.lineEnd}${layout.lineIndent(next)}` : ", ";
  }

  /** A key with its colon, as the others have it. */
  #keyLike([sibling = 0]: readonly number[], name: string): string {
    const { layout, rows } = this.#placed;
    const [start, end] = rows.keyOf(sibling) ?? [0, 0];
    if (layout.text[start] !== '"') return `${yamlLine(name)}: `;
    const colon = layout.text.slice(end, rows.valueOf(sibling)[0]);
    return `${quote(name)}${/^ *: *$/.test(colon) ? colon : ": "}`;
  }
}

/** Stretches as one where only blanks of a line are between them. */
function joined(spans: readonly Span[], { text }: TextLayout): Span[] {
  const all: Span[] = [];
  for (const [start, end] of spans) {
    const before = all.at(-1);
    if (before !== undefined && /^[ \t]*$/.test(text.slice(before[1], start)))
      all[all.length - 1] = [before[0], end];
    else all.push([start, end]);
  }
  return all;
}

/** A value inside of brackets, in a line that is so far in. */
export function flowText(
  value: unknown,
  { isJson, jsonIndent, lineEnd }: TextLayout,
  indent: string,
): string {
  if (!isJson) return yamlLine(value);
  return escapeOdd(JSON.stringify(value, undefined, jsonIndent)).replaceAll("\n", `${lineEnd}${indent}`);
}
