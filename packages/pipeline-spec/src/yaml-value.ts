import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  type YAMLMap,
} from "yaml";
import type { DocumentProblems } from "./document-problems.js";
import { describeValue } from "./json-value.js";
import type { Span } from "./line-table.js";
import { PlaceRows } from "./place-rows.js";
import { keyText, Places } from "./places.js";
import { readPlain } from "./plain-scalar.js";
import { plainValue } from "./plain-value.js";
import { textInQuotes } from "./quoted-text.js";
import { setEntry } from "./set-entry.js";
import type { SpecProblemCode } from "./spec-problem-code.js";
import type { YamlLimits } from "./yaml-limits.js";
import { hintAt } from "./yaml-syntax-errors.js";

type YamlMap = YAMLMap<Node, Node | null>;

interface Anchor {
  /** Where the node has its place; keys have none. */
  readonly row: number | undefined;
  readonly value: unknown;
  /** How many values it stands for, aliases inside it followed. */
  readonly size: number;
}

const standardTag = "tag:yaml.org,2002:";
const noKey: Span = [-1, -1];

/**
 * Turns the nodes of one document into JSON values, and notes where each stands. An alias is given the very value of its
 * anchor, so that aliases cost nothing here; what they would cost whoever walks the result is counted and limited.
 */
export class YamlValues {
  private rows: PlaceRows | undefined;
  private readonly targets = new Map<number, number>();
  private readonly shared = new Map<number, unknown>();
  private readonly mergeRows = new Set<number>();
  private readonly names = new Map<number, string>();
  /** Where the last value ends, and with it the maps and lists around it that no bracket closes. */
  private end = 0;
  private readonly path: (string | number)[] = [];
  private readonly anchors = new Map<string, Anchor>();
  /** The names of all anchors so far: one without a value is that of a node around. */
  private readonly begun = new Set<string>();
  private readonly text: string;
  private readonly problems: DocumentProblems;
  private readonly limits: YamlLimits;
  private size = 0;
  private aliased = 0;

  constructor(text: string, problems: DocumentProblems, limits: YamlLimits) {
    this.text = text;
    this.rows = new PlaceRows(text.length);
    this.problems = problems;
    this.limits = limits;
  }

  /** Where everything stands of which the value was asked for. */
  places(): Places {
    const { targets, shared, mergeRows: merges, names } = this;
    return new Places(this.text, (this.rows ?? new PlaceRows(0)).trim(), { targets, shared, merges, names });
  }

  /** The JSON value of a node, which may be that of a key; what cannot be one is a problem, and null. */
  value(node: Node | null, key: Span = noKey): unknown {
    const [start, end] = node === null ? [key[1], key[1]] : spanOfNode(node);
    const row = this.rows?.open(...key, start);
    const value = node === null || isAlias(node) ? node && this.alias(node, row) : this.anchored(node, row);
    const isBlock = (isMap(node) || isSeq(node)) && node.flow !== true;
    if (!isBlock) this.end = Math.max(this.end, end);
    if (row !== undefined) this.rows?.close(row, isBlock ? this.end : end);
    return value;
  }

  private anchored(node: Exclude<Node, Alias>, row: number | undefined): unknown {
    const before = this.size++;
    const { anchor } = node;
    if (anchor === undefined) return this.content(node);
    if (this.begun.has(anchor)) {
      const message = `the anchor &${anchor} is set a second time, which the Python SDK refuses`;
      this.problems.warning("ambiguous-scalar", this.path, message, spanOfNode(node), "give it another name");
    }
    // From here on an alias means this node, not an earlier one of the same name.
    this.anchors.delete(anchor);
    this.begun.add(anchor);
    const value = this.content(node);
    // One of the same name inside of this node stands further on.
    if (!this.anchors.has(anchor)) this.anchors.set(anchor, { row, value, size: this.size - before });
    return value;
  }

  private content(node: Node): unknown {
    if (isScalar(node)) return this.scalar(node);
    if (this.path.length >= this.limits.maxDepth) {
      this.error("too-deep", `nested deeper than ${this.limits.maxDepth} levels`, node);
      return null;
    }
    const kind = isMap(node) ? "map" : "seq";
    if (node.tag !== undefined && node.tag !== "!" && node.tag !== standardTag + kind) this.unknownTag(node);
    if (isMap<Node, Node | null>(node)) return this.object(node);
    return isSeq<Node>(node) ? this.list(node.items) : null;
  }

  private list(items: readonly Node[]): unknown[] {
    return items.map((item, index) => {
      this.path.push(index);
      const value = this.value(item);
      this.path.pop();
      return value;
    });
  }

  private object(node: YamlMap): { [key: string]: unknown } {
    const object: { [key: string]: unknown } = {};
    const merged: { readonly from: Node; readonly value: unknown }[] = [];
    for (const pair of node.items) {
      if (isMergeKey(pair.key)) {
        if (merged.length > 0)
          this.error("duplicate-key", 'the key "<<" is here a second time', pair.key, "merge a list of maps");
        merged.push({ from: pair.value ?? pair.key, value: this.merged(pair) });
        continue;
      }
      const key = this.key(pair.key);
      this.path.push(key);
      if (Object.hasOwn(object, key)) {
        this.error(
          "duplicate-key",
          `the key ${JSON.stringify(key)} is here a second time`,
          pair.key,
          "remove one of the two",
        );
      } else {
        const span = spanOfNode(pair.key);
        if (keyText(this.text, span) !== key) this.names.set(this.nextRow(), key);
        setEntry(object, key, this.value(pair.value, span));
      }
      this.path.pop();
    }
    // What is merged is overridden by what the map itself has.
    for (const { from, value } of merged) this.merge(object, from, value);
    return object;
  }

  private merged({ key, value }: Pair<Node, Node | null>): unknown {
    this.path.push("<<");
    this.mergeRows.add(this.nextRow());
    const merged = this.value(value, spanOfNode(key));
    this.path.pop();
    return merged;
  }

  /** `<<: *other` adds the entries of another map that this one does not have. */
  private merge(object: { [key: string]: unknown }, from: Node, value: unknown): void {
    for (const source of Array.isArray(value) ? value : [value]) {
      if (typeof source !== "object" || source === null || Array.isArray(source)) {
        this.error("invalid-merge", `expected a map to merge, got ${describeValue(source)}`, from);
        continue;
      }
      for (const [name, item] of Object.entries(source)) {
        if (!Object.hasOwn(object, name)) setEntry(object, name, item);
      }
    }
  }

  private nextRow(): number {
    return this.rows?.count ?? -1;
  }

  private key(node: Node): string {
    // What is inside a key has no path to ask for its place by.
    const { rows } = this;
    this.rows = undefined;
    const value = this.value(node);
    this.rows = rows;
    if (typeof value === "string") return value;
    const text = isScalar(node) ? String(node.value) : "";
    const hint = isScalar(node)
      ? `put it in quotes: ${JSON.stringify(text)}`
      : hintAt(this.text, spanOfNode(node)[0]);
    this.error("key-not-text", `a key must be text, not ${describeValue(value)}`, node, hint);
    return text;
  }

  private alias(node: Alias, row: number | undefined): unknown {
    const anchor = this.anchors.get(node.source);
    if (anchor === undefined) {
      const open = this.begun.has(node.source);
      const message = open
        ? `the anchor &${node.source} contains this alias of itself`
        : `there is no anchor &${node.source} before this alias`;
      this.error("invalid-alias", message, node, open ? undefined : "a text that begins with * needs quotes");
      return null;
    }
    this.size += anchor.size;
    this.aliased += anchor.size;
    if (this.aliased <= this.limits.maxAliasedValues) {
      if (row !== undefined && anchor.row !== undefined) {
        this.targets.set(row, anchor.row);
        this.shared.set(anchor.row, anchor.value);
      }
      return anchor.value;
    }
    const message = `aliases stand for more than ${this.limits.maxAliasedValues} values`;
    if (this.aliased - anchor.size <= this.limits.maxAliasedValues)
      this.error("too-many-aliases", message, node);
    return null;
  }

  private scalar(node: Scalar): unknown {
    // The schema of the parser makes every scalar a text.
    const text = this.endsEarly(node) ? String(node.value).replace(/\n$/, "") : String(node.value);
    if (node.tag !== undefined) return this.tagged(node, node.tag, text);
    if (node.type === Scalar.QUOTE_DOUBLE) return this.quoted(node) ?? text;
    if (node.type !== Scalar.PLAIN) return text;
    return plainValue(text, spanOfNode(node), this.path, this.problems);
  }

  /** Where the library forgets that each empty line behind an escaped break is a break. */
  private quoted(node: Scalar): string | undefined {
    const source = this.text.slice(...spanOfNode(node));
    if (!/\\\r?\n[ \t]*\r?\n/.test(source)) return undefined;
    const lines = source.replaceAll("\r\n", "\n");
    return textInQuotes(lines, 0, lines.length);
  }

  /** The library ends the last line of a block also where the file breaks it off. */
  private endsEarly({ type, range }: Scalar): boolean {
    const isBlock = type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;
    if (!isBlock || range?.[1] !== this.text.length) return false;
    // Blanks of other kinds are text.
    return /[^ ]/.test(this.text.slice(this.text.lastIndexOf("\n") + 1));
  }

  private tagged(node: Scalar, tag: string, text: string): unknown {
    if (tag === "!" || tag === `${standardTag}str`) return text;
    const value = readPlain(text);
    const type = value === null ? "null" : typeof value;
    const isOfType =
      (tag === `${standardTag}int` && Number.isInteger(value)) ||
      (tag === `${standardTag}float` && type === "number") ||
      (tag === `${standardTag}bool` && type === "boolean") ||
      (tag === `${standardTag}null` && type === "null");
    if (isOfType) return value;
    this.unknownTag(node);
    return text;
  }

  private unknownTag(node: Node): void {
    const tag = node.tag?.replace(standardTag, "!!");
    this.error(
      "unsupported-tag",
      `the tag ${tag} does not make a JSON value of this`,
      node,
      tag?.startsWith("!!") ? "remove the tag" : "a text that begins with ! needs quotes",
    );
  }

  private error(code: SpecProblemCode, message: string, node: Node, hint?: string): void {
    this.problems.error(code, this.path, message, spanOfNode(node), hint);
  }
}

/** Where a node stands, without what follows it. */
function spanOfNode(node: Node): Span {
  const [start, end] = node.range ?? [0, 0];
  return [start, end];
}

/** True for the key `<<`, whose value is merged into the map. */
function isMergeKey(key: Node): boolean {
  return isScalar(key) && key.value === "<<" && key.type === Scalar.PLAIN && key.tag === undefined;
}
