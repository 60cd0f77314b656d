import type { Span } from "./line-table.js";
import { isSameField, type SourceDocument } from "./source-document.js";

const literal = /[^\s,\]}]+/y;
const structural = /["{}[\]]/g;

interface Entry {
  readonly key: Span | undefined;
  /** Where the value starts. */
  readonly start: number;
}

/** What is known of the entries of an object or list, as far as they have been needed. */
interface Members {
  readonly known: Map<string, Entry>;
  readonly isObject: boolean;
  /** Where the next entry starts; `undefined` when there is none. */
  next: number | undefined;
  /** Where the value of the last known entry starts. */
  last: number | undefined;
}

/** A document that is JSON: the value comes from `JSON.parse`, and a place is looked for when it is asked for. */
export class JsonDocument implements SourceDocument {
  readonly value: unknown;
  private readonly text: string;
  private readonly members = new Map<number, Members>();
  /** Where collections end that have been passed over, so that no stretch is passed over twice. */
  private readonly ends = new Map<number, number>();

  /** @param text  one that `JSON.parse` has read as `value` */
  constructor(text: string, value: unknown) {
    this.text = text;
    this.value = value;
  }

  spanOf(path: readonly string[], part: "key" | "value"): Span {
    const { key, start } = this.find(path);
    return part === "key" && key !== undefined ? key : [start, this.endOf(start)];
  }

  has(path: readonly string[]): boolean {
    return this.find(path).found;
  }

  exactInteger(path: readonly string[]): bigint | undefined {
    const { found, start } = this.find(path);
    const digits = this.text.slice(start, this.endOf(start));
    return found && /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
  }

  /** The last value on the way along a path; where it ends is not looked for, which would cost its length at each step. */
  private find(path: readonly string[]): Entry & { found: boolean } {
    let entry: Entry = { key: undefined, start: skipSpace(this.text, 0) };
    for (const segment of path) {
      const next = this.entry(entry.start, segment);
      if (next === undefined) return { ...entry, found: false };
      entry = next;
    }
    return { ...entry, found: true };
  }

  /** An entry of the object or list at `start`, by its key or index, in either spelling. */
  private entry(start: number, segment: string): Entry | undefined {
    const members = this.members.get(start) ?? this.openMembers(start);
    while (members.next !== undefined && !members.known.has(segment)) this.readMember(members);
    const exact = members.known.get(segment);
    if (exact !== undefined) return exact;
    const other = [...members.known.keys()].find((name) => isSameField(name, segment));
    return other === undefined ? undefined : members.known.get(other);
  }

  private openMembers(start: number): Members {
    const open = this.text[start];
    const first = skipSpace(this.text, start + 1);
    const isEmpty = (open !== "{" && open !== "[") || this.text[first] === "}" || this.text[first] === "]";
    const members: Members = {
      known: new Map(),
      isObject: open === "{",
      next: isEmpty ? undefined : first,
      last: undefined,
    };
    this.members.set(start, members);
    return members;
  }

  /** Gets to know one more entry. The one before is passed over only now, because it may be all that was wanted. */
  private readMember(members: Members): void {
    if (members.last !== undefined) {
      const end = skipSpace(this.text, this.endOf(members.last));
      members.next = this.text[end] === "," ? skipSpace(this.text, end + 1) : undefined;
    }
    if (members.next === undefined) return;
    let start = members.next;
    let key: Span | undefined;
    if (members.isObject) {
      key = [start, endOfJsonString(this.text, start)];
      start = skipSpace(this.text, skipSpace(this.text, key[1]) + 1);
    }
    const name = key === undefined ? String(members.known.size) : String(JSON.parse(this.text.slice(...key)));
    members.known.set(name, { key, start });
    members.last = start;
  }

  /** The place after the value at `start`. */
  private endOf(start: number): number {
    const open = this.text[start];
    if (open === '"') return endOfJsonString(this.text, start);
    if (open === "{" || open === "[") return this.endOfCollection(start);
    literal.lastIndex = start;
    literal.exec(this.text);
    return literal.lastIndex;
  }

  private endOfCollection(start: number): number {
    let depth = 0;
    structural.lastIndex = start;
    for (let match = structural.exec(this.text); match !== null; match = structural.exec(this.text)) {
      const known = this.ends.get(match.index);
      if (match[0] === '"') structural.lastIndex = endOfJsonString(this.text, match.index);
      else if (known !== undefined) structural.lastIndex = known;
      else if (match[0] === "{" || match[0] === "[") depth++;
      else depth--;
      if (depth > 0) continue;
      this.ends.set(start, structural.lastIndex);
      break;
    }
    return structural.lastIndex;
  }
}

function skipSpace(text: string, at: number): number {
  let end = at;
  while (isSpace(text.charCodeAt(end))) end++;
  return end;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The place after the closing quote of the string that opens at `start`. */
function endOfJsonString(text: string, start: number): number {
  let end = start;
  let backslashes: number;
  do {
    end = text.indexOf('"', end + 1);
    backslashes = end - 1;
    while (text[backslashes] === "\\") backslashes--;
  } while ((end - 1 - backslashes) % 2 === 1);
  return end + 1;
}

/**
 * True when some object in a text has a key twice, of which `JSON.parse` keeps only the last: then the text has more
 * keys than the value.
 */
export function hasDuplicateKeys(text: string, value: unknown): boolean {
  let inText = 0;
  for (let start = text.indexOf('"'); start !== -1; start = text.indexOf('"', start)) {
    start = endOfJsonString(text, start);
    if (text[skipSpace(text, start)] === ":") inText++;
  }
  return inText !== countKeys(value);
}

function countKeys(root: unknown): number {
  let count = 0;
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const values: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (!Array.isArray(value)) count += values.length;
    for (const item of values) if (typeof item === "object") open.push(item);
  }
  return count;
}
