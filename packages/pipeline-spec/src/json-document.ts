import type { Span } from "./line-table.js";
import { isSameField, type Place, type SourceDocument } from "./source-document.js";

const literal = /[^\s,\]}]+/y;
const structural = /["{}[\]]/g;

/** A document that is JSON: the value comes from `JSON.parse`, and a place is looked for when it is asked for. */
export class JsonDocument implements SourceDocument {
  readonly value: unknown;
  private readonly text: string;

  /** @param text  one that `JSON.parse` has read as `value` */
  constructor(text: string, value: unknown) {
    this.text = text;
    this.value = value;
  }

  spanOf(path: readonly string[], part: "key" | "value"): Span {
    const { key, value } = this.find(path);
    return part === "key" && key !== undefined ? key : value;
  }

  has(path: readonly string[]): boolean {
    return this.find(path).found;
  }

  exactInteger(path: readonly string[]): bigint | undefined {
    const { found, value } = this.find(path);
    const digits = this.text.slice(...value);
    return found && /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
  }

  private find(path: readonly string[]): Place {
    let place: Place = { found: true, key: undefined, value: this.valueAt(skipSpace(this.text, 0)) };
    for (const segment of path) {
      const inside = this.member(place.value[0], (key) => key === segment);
      const next = inside ?? this.member(place.value[0], (key) => isSameField(key, segment));
      if (next === undefined) return { ...place, found: false };
      place = next;
    }
    return place;
  }

  /** The first entry of the object or list at `start` whose key or index is wanted. */
  private member(start: number, isWanted: (key: string) => boolean): Place | undefined {
    const open = this.text[start];
    if (open !== "{" && open !== "[") return undefined;
    let at = skipSpace(this.text, start + 1);
    for (let index = 0; this.text[at] !== "}" && this.text[at] !== "]"; index++) {
      let key: Span | undefined;
      if (open === "{") {
        key = [at, this.endOfString(at)];
        at = skipSpace(this.text, skipSpace(this.text, key[1]) + 1);
      }
      const value = this.valueAt(at);
      const name = key === undefined ? String(index) : String(JSON.parse(this.text.slice(...key)));
      if (isWanted(name)) return { found: true, key, value };
      at = skipSpace(this.text, value[1]);
      if (this.text[at] === ",") at = skipSpace(this.text, at + 1);
    }
    return undefined;
  }

  private valueAt(start: number): Span {
    const open = this.text[start];
    if (open === '"') return [start, this.endOfString(start)];
    if (open === "{" || open === "[") return [start, this.endOfCollection(start)];
    literal.lastIndex = start;
    literal.exec(this.text);
    return [start, literal.lastIndex];
  }

  private endOfString(start: number): number {
    return endOfJsonString(this.text, start);
  }

  private endOfCollection(start: number): number {
    let depth = 0;
    structural.lastIndex = start;
    for (let match = structural.exec(this.text); match !== null; match = structural.exec(this.text)) {
      if (match[0] === '"') structural.lastIndex = this.endOfString(match.index);
      else if (match[0] === "{" || match[0] === "[") depth++;
      else if (--depth === 0) return match.index + 1;
    }
    return this.text.length;
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
