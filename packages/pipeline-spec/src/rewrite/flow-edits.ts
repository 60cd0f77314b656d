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
    const firstKept = members.findIndex((row) => !removed.has(row));
    for (const [index, row] of members.entries()) {
      if (removed.has(row)) this.#splices.replace(...this.#stretch(members, index, firstKept), "");
    }
    const comma = this.#commaOf(parent, members);
    for (const { behind, name, value } of added) {
      const at =
        behind === undefined ? this.#placed.startOf(members[firstKept] ?? 0) : this.#placed.endOf(behind);
      const indent = /\n([ \t]*)$/.exec(comma)?.[1];
      const text = flowText(value, this.#placed.layout, indent ?? this.#placed.layout.lineIndent(at));
      const member = name === undefined ? text : `${this.#keyLike(members, name)}${text}`;
      this.#splices.replace(at, at, behind === undefined ? `${member}${comma}` : `${comma}${member}`);
    }
  }

  /** A member and its comma: the one before it, if some member before it stays. */
  #stretch(members: readonly number[], index: number, firstKept: number): [start: number, end: number] {
    const row = members[index] ?? 0;
    if (index > firstKept) return [this.#placed.endOf(members[index - 1] ?? row), this.#placed.endOf(row)];
    return [this.#placed.startOf(row), this.#placed.startOf(members[index + 1] ?? row)];
  }

  /** What stands between two members. */
  #commaOf(parent: number, [first, second]: readonly number[]): string {
    const { layout, rows } = this.#placed;
    if (first === undefined) return ", ";
    const between =
      second === undefined ? "" : layout.text.slice(this.#placed.endOf(first), this.#placed.startOf(second));
    if (/^\s*,\s*$/.test(between)) return between;
    const opening = layout.text.slice(rows.valueOf(parent)[0] + 1, this.#placed.startOf(first));
    return opening.includes("\n") && opening.trim() === "" ? `,${opening}` : ", ";
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

/** A value inside of brackets, in a line that is so far in. */
export function flowText(
  value: unknown,
  { isJson, jsonIndent, lineEnd }: TextLayout,
  indent: string,
): string {
  if (!isJson) return yamlLine(value);
  return escapeOdd(JSON.stringify(value, undefined, jsonIndent)).replaceAll("\n", `${lineEnd}${indent}`);
}
