import type { Span } from "./line-table.js";
import type { PlaceRows } from "./place-rows.js";
import { readPlainInteger } from "./plain-scalar.js";
import { textInQuotes } from "./quoted-text.js";

/** What a row does not tell by itself. */
export interface OddRows {
  /** What an alias stands for: the row of its anchor, by the row of the alias. */
  readonly targets: ReadonlyMap<number, number>;
  /** The values that aliases stand for, by the rows of their anchors. */
  readonly shared: ReadonlyMap<number, unknown>;
  /** Entries whose value is merged into the map that they are in. */
  readonly merges: ReadonlySet<number>;
  /** The names of keys that are not written as they read. */
  readonly names: ReadonlyMap<number, string>;
}

const nothingOdd: OddRows = { targets: new Map(), shared: new Map(), merges: new Set(), names: new Map() };

/** The entries of one map or list. */
interface Members {
  readonly isMap: boolean;
  readonly items: readonly number[];
  readonly byName: ReadonlyMap<string, number>;
  /** By the name without what differs between its two spellings. */
  byField?: ReadonlyMap<string, number>;
}

/** What was found on the way along a path: the last row there is, and what its value is found at when it has none. */
interface Found {
  readonly row: number;
  readonly around: Span;
  /** True when the whole path exists. */
  readonly complete: boolean;
}

/** Where each part of a document stands in its text. Takes 20 bytes for each value, and none of the values. */
export class Places {
  private readonly text: string;
  readonly rows: PlaceRows;
  private readonly odd: OddRows;
  private readonly members = new Map<number, Members>();

  constructor(text: string, rows: PlaceRows, odd: OddRows = nothingOdd) {
    this.text = text;
    this.rows = rows;
    this.odd = odd;
  }

  /**
   * Where the value at `path` stands, or the key that leads to it; the nearest enclosing value when there is nothing.
   * Field names may be in either spelling.
   */
  spanOf(path: readonly string[], part: "key" | "value"): Span {
    const { row, around } = this.find(path);
    return (part === "key" ? this.rows.keyOf(row) : undefined) ?? this.valueSpan(row, around);
  }

  /** True when there is something at `path`. */
  has(path: readonly string[]): boolean {
    return this.find(path).complete;
  }

  /** The integer at `path` with all its digits. */
  exactInteger(path: readonly string[]): bigint | undefined {
    const { row, complete } = this.find(path);
    return complete ? readPlainInteger(this.text.slice(...this.rows.valueOf(this.resolve(row)))) : undefined;
  }

  /** The names of the entries that stand in a map themselves, each with its row; none for a list, and for what an alias stands for. */
  entriesOf(row: number): ReadonlyMap<string, number> {
    const entries = new Map<string, number>();
    for (const child of this.rows.childrenOf(row)) {
      if (this.rows.keyOf(child) !== undefined) addFirst(entries, this.nameOf(child), child);
    }
    return entries;
  }

  /** The aliases in the order of the text, each with the row of its anchor. */
  get aliases(): ReadonlyMap<number, number> {
    return this.odd.targets;
  }

  /** The value of an anchor that has aliases. */
  sharedValue(anchor: number): unknown {
    return this.odd.shared.get(anchor);
  }

  /** True for an entry whose value is merged into the map that it is in. */
  isMerge(row: number): boolean {
    return this.odd.merges.has(row);
  }

  /** The path of the innermost value that stands at an offset, or whose key does. */
  pathAt(offset: number): readonly (string | number)[] {
    const path: (string | number)[] = [];
    const isAt = (row: number) => {
      const [start] = this.rows.keyOf(row) ?? this.rows.valueOf(row);
      return start <= offset && offset < this.rows.valueOf(row)[1];
    };
    for (let row = 0, next: number | undefined = 0; next !== undefined; row = next ?? row) {
      const children = this.rows.childrenOf(row);
      const position = children.findIndex(isAt);
      next = children[position];
      if (next !== undefined) path.push(this.rows.keyOf(next) === undefined ? position : this.nameOf(next));
    }
    return path;
  }

  private find(path: readonly string[]): Found {
    let row = 0;
    let around = this.rows.valueOf(0);
    for (const segment of path) {
      const next = this.member(this.resolve(row), segment);
      if (next === undefined) return { row, around, complete: false };
      around = this.valueSpan(row, around);
      row = next;
    }
    return { row, around, complete: true };
  }

  /** Nothing after a colon is found at its key. */
  private valueSpan(row: number, around: Span): Span {
    const value = this.rows.valueOf(row);
    return value[0] === value[1] ? (this.rows.keyOf(row) ?? around) : value;
  }

  private resolve(row: number): number {
    return this.odd.targets.get(row) ?? row;
  }

  private member(row: number, segment: string): number | undefined {
    const members = this.membersOf(row);
    if (!members.isMap) return /^\d+$/.test(segment) ? members.items[Number(segment)] : undefined;
    return members.byName.get(segment) ?? fieldsOf(members).get(fieldName(segment));
  }

  private membersOf(row: number): Members {
    const known = this.members.get(row);
    if (known !== undefined) return known;
    const items = this.rows.childrenOf(row);
    const [first] = items;
    const isMap = first !== undefined && this.rows.keyOf(first) !== undefined;
    const byName = new Map<string, number>();
    const merged: number[] = [];
    for (const item of isMap ? items : []) {
      if (this.odd.merges.has(item)) merged.push(item);
      else addFirst(byName, this.nameOf(item), item);
    }
    // What is merged is overridden by what the map itself has.
    for (const item of merged) this.merge(byName, this.resolve(item));
    const members = { isMap, items, byName };
    this.members.set(row, members);
    return members;
  }

  private merge(into: Map<string, number>, from: number): void {
    const { isMap, items, byName } = this.membersOf(from);
    for (const item of isMap ? [] : items) this.merge(into, this.resolve(item));
    for (const [name, row] of byName) addFirst(into, name, row);
  }

  private nameOf(row: number): string {
    const odd = this.odd.names.get(row);
    const key = this.rows.keyOf(row);
    if (odd !== undefined || key === undefined) return odd ?? "";
    return keyText(this.text, key);
  }
}

/** What a key reads as that stands at a span: a text in quotes, or a plain one. */
export function keyText(text: string, [start, end]: Span): string {
  return textInQuotes(text, start, end) ?? text.slice(start, end);
}

function fieldsOf(members: Members): ReadonlyMap<string, number> {
  if (members.byField === undefined) {
    const byField = new Map<string, number>();
    for (const [name, row] of members.byName) addFirst(byField, fieldName(name), row);
    members.byField = byField;
  }
  return members.byField;
}

/** What is the same in both spellings of a field, `pipelineInfo` and `pipeline_info`. */
function fieldName(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function addFirst(map: Map<string, number>, name: string, row: number): void {
  if (!map.has(name)) map.set(name, row);
}
