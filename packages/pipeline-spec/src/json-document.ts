import { PlaceRows } from "./place-rows.js";
import { Places } from "./places.js";
import { endOfQuotes } from "./quoted-text.js";
import type { SourceDocument } from "./source-document.js";

/** Reads a text that is JSON; `undefined` for any other, and for one with a key twice in one object. */
export function parseJsonDocument(text: string): SourceDocument | undefined {
  if (!/^[ \t\r\n]*[{[]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // It may be YAML in flow style; and if not, the YAML parser says where it is wrong.
    return undefined;
  }
  if (hasDuplicateKeys(text, value)) return undefined;
  let places: Places | undefined;
  // Most files are never asked for a place.
  return {
    value,
    places: () => {
      places ??= new Places(text, rowsOfJson(text));
      return places;
    },
  };
}

/** Braces and brackets, the beginning of a text, or all of another scalar. */
const token = /["{}[\]]|[^\s"{}[\],:]+/g;
const noKey = [-1, -1] as const;

/** Where the values of a text stand that `JSON.parse` has read, however deep they are. */
function rowsOfJson(text: string): PlaceRows {
  const rows = new PlaceRows(text.length);
  const open: number[] = [];
  let key: readonly [number, number] = noKey;
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const start = match.index;
    if (match[0] === "}" || match[0] === "]") {
      rows.close(open.pop() ?? 0, start + 1);
      continue;
    }
    if (match[0] === '"') token.lastIndex = endOfQuotes(text, start);
    const end = token.lastIndex;
    if (match[0] === '"' && text[skipSpace(text, end)] === ":") {
      key = [start, end];
      continue;
    }
    if (match[0] === "{" || match[0] === "[") open.push(rows.open(...key, start));
    else rows.add(...key, start, end);
    key = noKey;
  }
  return rows.trim();
}

function skipSpace(text: string, at: number): number {
  let end = at;
  while (isSpace(text.charCodeAt(end))) end++;
  return end;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** True when some object in a text has a key twice, of which `JSON.parse` keeps only the last: the text then has more. */
function hasDuplicateKeys(text: string, value: unknown): boolean {
  let inText = 0;
  for (let start = text.indexOf('"'); start !== -1; start = text.indexOf('"', start)) {
    start = endOfQuotes(text, start);
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
