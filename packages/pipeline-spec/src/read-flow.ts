import { setEntry } from "./set-entry.js";
import type { YamlScan } from "./yaml-scan.js";

const comma = 0x2c;
const colon = 0x3a;
const newline = 0x0a;

/** Reads the map in braces or the list in brackets that begins here, and goes past it. */
export function readFlow(scan: YamlScan, keyStart: number, keyEnd: number): unknown {
  const row = scan.enter(keyStart, keyEnd);
  const value = scan.code() === 0x7b ? readMap(scan) : readList(scan);
  scan.at++;
  scan.end = scan.at;
  scan.rows.close(row, scan.at);
  return value;
}

function readList(scan: YamlScan): unknown[] {
  const list: unknown[] = [];
  for (let isFirst = true; !isAtEnd(scan, isFirst, 0x5d); isFirst = false) {
    scan.path.push(list.length);
    list.push(readValue(scan, -1, -1));
    scan.path.pop();
  }
  return list;
}

function readMap(scan: YamlScan): { [key: string]: unknown } {
  const map: { [key: string]: unknown } = {};
  for (let isFirst = true; !isAtEnd(scan, isFirst, 0x7d); isFirst = false) {
    const start = scan.at;
    const isQuoted = scan.isQuote();
    const name = isQuoted ? scan.quoted() : scan.text.slice(start, plainEnd(scan.text, start));
    const end = isQuoted ? scan.quotedEnd : start + name.length;
    if (isQuoted ? scan.quotesSpanLines : !isPlain(scan, name)) scan.handOver();
    scan.checkKey(name, isQuoted, map);
    scan.at = end;
    scan.skipSpaces();
    if (scan.code() !== colon) scan.handOver();
    scan.at++;
    if (!isQuoted && isFlowIndicator(scan.code())) scan.handOver();
    skipBlank(scan);
    scan.path.push(name);
    setEntry(map, name, readValue(scan, start, end));
    scan.path.pop();
  }
  return map;
}

/** Goes to the next entry, past a comma unless it is the first: true when the bracket comes instead. */
function isAtEnd(scan: YamlScan, isFirst: boolean, bracket: number): boolean {
  if (isFirst) scan.at++;
  skipBlank(scan);
  if (scan.code() === bracket) return true;
  if (isFirst) return false;
  if (scan.code() !== comma) scan.handOver();
  scan.at++;
  skipBlank(scan);
  return scan.code() === bracket;
}

function readValue(scan: YamlScan, keyStart: number, keyEnd: number): unknown {
  const start = scan.at;
  switch (scan.code()) {
    case 0x22:
    case 0x27: {
      const text = scan.quoted();
      scan.leaf(keyStart, keyEnd, scan.quotedEnd);
      return text;
    }
    case 0x7b:
    case 0x5b:
      return readFlow(scan, keyStart, keyEnd);
    default: {
      const end = plainEnd(scan.text, start);
      const text = scan.text.slice(start, end);
      if (!isPlain(scan, text)) scan.handOver();
      return scan.plain(text, keyStart, keyEnd, end);
    }
  }
}

/** True for what is a plain scalar in brackets without any doubt, and to everybody: most of them, and not all. */
function isPlain(scan: YamlScan, text: string): boolean {
  const code = scan.code();
  if (!scan.isPlain() || code === colon || text.includes("?")) return false;
  return code !== 0x2d || isWordLike(scan.code(1));
}

function isWordLike(code: number): boolean {
  const lower = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x7a) || code === 0x2e;
}

/** Where a plain scalar in brackets ends in this line. */
function plainEnd(text: string, start: number): number {
  let end = start;
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === newline || code === 0x09 || Number.isNaN(code) || isFlowIndicator(code)) return end;
    const next = text.charCodeAt(at + 1);
    const isBeforeGap = next === 0x20 || next === newline || Number.isNaN(next);
    if (code === colon && (isBeforeGap || isFlowIndicator(next))) return end;
    if (code === 0x20 && next === 0x23) return end;
    if (code !== 0x20) end = at + 1;
  }
}

/** Comma, brackets and braces. */
function isFlowIndicator(code: number): boolean {
  return code === comma || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;
}

/** Goes past blanks and line breaks. A tab, a comment or the mark of a document is no value, and no comma. */
function skipBlank(scan: YamlScan): void {
  scan.skipSpaces();
  while (scan.code() === newline) {
    scan.startLine(scan.at + 1);
    if (scan.isMarker()) scan.handOver();
  }
}
