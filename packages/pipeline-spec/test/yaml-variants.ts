import { parseAllDocuments, Scalar, visit } from "yaml";
import { isObject } from "../src/json-value.js";
import { LineTable } from "../src/line-table.js";
import { quote, yamlLine } from "../src/print-yaml.js";

type Random = (below: number) => number;

/** What was printed with an anchor. */
interface Shared {
  readonly name: string;
  readonly value: unknown;
}

/** Prints a JSON value as somebody could write it: blocks and brackets in one line or several, with anchors, aliases and merges. */
export class VariedYaml {
  readonly #random: Random;
  readonly #shared: Shared[] = [];
  readonly #withAnchors: boolean;
  #anchors = 0;

  constructor(random: Random, withAnchors: boolean) {
    this.#random = random;
    this.#withAnchors = withAnchors;
  }

  document(value: unknown): string {
    return `${this.#block(value, "", "").trimStart()}\n`;
  }

  /** What stands behind a colon or a dash, with the blank or line break before it. */
  #behind(value: unknown, indent: string, mark: ":" | "-"): string {
    const known = this.#aliasOf(value);
    if (known !== undefined) return ` *${known}`;
    const anchor = this.#anchorFor(value);
    const text = this.#collection(value, indent, mark === ":");
    if (anchor !== undefined) this.#shared.push({ name: anchor, value });
    return anchor === undefined ? text : ` &${anchor}${text}`;
  }

  #collection(value: unknown, indent: string, mayBeFlat: boolean): string {
    if (!this.#hasMembers(value)) return ` ${this.#scalar(value, `${indent}  `)}`;
    if (indent !== "" && this.#random(4) === 0) return ` ${this.#flow(value, indent)}`;
    const inner = `${indent}${this.#random(5) === 0 ? "    " : "  "}`;
    return this.#block(value, inner, mayBeFlat && this.#random(2) === 0 ? indent : inner);
  }

  /** Lines of entries or items that are so far in. */
  #block(value: unknown, entriesIn: string, itemsIn: string): string {
    if (Array.isArray(value)) {
      return value.map((item) => `\n${itemsIn}-${this.#behind(item, itemsIn, "-")}`).join("");
    }
    const { merged, entries } = this.#entriesOf(value);
    const lines = entries.map(
      ([key, item]) => `\n${entriesIn}${yamlLine(key)}:${this.#behind(item, entriesIn, ":")}`,
    );
    if (merged !== undefined) lines.unshift(`\n${entriesIn}<<: *${merged}`);
    return lines.join("");
  }

  #flow(value: unknown, indent: string): string {
    if (!this.#hasMembers(value)) return yamlLine(value);
    const inLines = this.#random(2) === 0;
    const inner = `${indent}  `;
    const { merged, entries } = Array.isArray(value) ? { entries: [] } : this.#entriesOf(value);
    const texts = Array.isArray(value)
      ? value.map((item) => this.#flowMember(item, inner))
      : entries.map(([key, item]) => `${yamlLine(key)}: ${this.#flowMember(item, inner)}`);
    if (merged !== undefined) texts.unshift(`<<: *${merged}`);
    const [open, close] = Array.isArray(value) ? "[]" : "{}";
    const end = this.#random(3) === 0 ? "," : "";
    if (!inLines) return `${open}${texts.join(", ")}${end}${close}`;
    return `${open}\n${texts.map((text) => inner + text).join(",\n")}${end}\n${indent}${close}`;
  }

  #flowMember(value: unknown, indent: string): string {
    const known = this.#aliasOf(value);
    if (known !== undefined) return `*${known}`;
    const anchor = this.#anchorFor(value);
    const text = this.#flow(value, indent);
    if (anchor !== undefined) this.#shared.push({ name: anchor, value });
    return anchor === undefined ? text : `&${anchor} ${text}`;
  }

  #scalar(value: unknown, indent: string): string {
    if (typeof value !== "string") return yamlLine(value);
    if (/^[!-~][ -~]*(\n[!-~][ -~]*)+\n?$/.test(value) && this.#random(4) > 0) {
      const lines = value.replace(/\n$/, "").replaceAll("\n", `\n${indent}`);
      return `|${value.endsWith("\n") ? "" : "-"}\n${indent}${lines}`;
    }
    if (this.#random(4) === 0 && /^[ -~]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
    return this.#random(6) === 0 ? quote(value) : yamlLine(value);
  }

  #aliasOf(value: unknown): string | undefined {
    const text = JSON.stringify(value);
    const known = this.#shared.find((one) => JSON.stringify(one.value) === text);
    return known !== undefined && this.#random(3) > 0 ? known.name : undefined;
  }

  #anchorFor(value: unknown): string | undefined {
    if (!this.#withAnchors || JSON.stringify(value).length < 8) return undefined;
    return this.#random(3) === 0 ? `a${this.#anchors++}` : undefined;
  }

  /** The entries of a map, some of them by way of another map. */
  #entriesOf(value: unknown): { readonly merged?: string; readonly entries: readonly [string, unknown][] } {
    const entries = Object.entries(value ?? {});
    const merged = this.#shared.find(
      ({ value: other }) =>
        isObject(other) &&
        Object.keys(other).length < entries.length &&
        Object.entries(other).every(
          ([key, item]) =>
            JSON.stringify(item) === JSON.stringify(entries.find(([name]) => name === key)?.[1]),
        ),
    );
    if (merged === undefined || this.#random(3) === 0) return { entries };
    const own = entries.filter(([key]) => !Object.hasOwn(merged.value ?? {}, key));
    return { merged: merged.name, entries: own };
  }

  #hasMembers(value: unknown): boolean {
    return typeof value === "object" && value !== null && Object.keys(value).length > 0;
  }
}

/** A text with comments before and behind its lines, and blanks at their ends, where these are no part of a value. */
export function withComments(text: string, random: Random): string {
  const lines = text.split("\n");
  const { inside, begins, endsBlock } = linesOfTexts(text);
  let count = 0;
  const out: string[] = [];
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1 && line === "";
    if (!inside.has(index - 1) && random(5) === 0) {
      const deeper = endsBlock.has(index - 1) || random(3) > 0 ? 0 : random(9);
      out.push(`${/^ */.exec(line)?.[0]}${" ".repeat(deeper)}# own ${count++}`);
    }
    const behind = random(8);
    if (behind === 0 && begins.has(index)) out.push(`${line}  # line ${count++}`);
    else if (isLast || inside.has(index) || endsBlock.has(index) || behind > 2) out.push(line);
    else if (behind > 0) out.push(line + (behind === 1 || /[-:?]$/.test(line) ? "   " : "\t"));
    else out.push(`${line}  # line ${count++}`);
  }
  return out.join("\n");
}

/** The lines whose end is inside of a text, those with the sign of a text in lines of its own, and those in which one ends. */
function linesOfTexts(text: string): {
  readonly [name in "inside" | "begins" | "endsBlock"]: ReadonlySet<number>;
} {
  const [inside, begins, endsBlock] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const table = new LineTable(text);
  const lineOf = (at: number) => table.range([at, at]).start.line - 1;
  for (const document of parseAllDocuments(text)) {
    visit(document, {
      Scalar: (_, node) => {
        if (!node.range || !text.slice(node.range[0], node.range[1]).includes("\n")) return;
        const isBlock = node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED;
        const [from, to] = [lineOf(node.range[0]), lineOf(node.range[1]) - (isBlock ? 1 : 0)];
        for (let line = from; line < to; line++) inside.add(line);
        if (!isBlock) return;
        begins.add(from);
        endsBlock.add(to);
      },
    });
  }
  return { inside, begins, endsBlock };
}
