import { readBlockText } from "./block-text.js";
import { foldLines } from "./fold-lines.js";
import { readFlow } from "./read-flow.js";
import { setEntry } from "./set-entry.js";
import type { YamlScan } from "./yaml-scan.js";

const newline = 0x0a;
const dash = 0x2d;
const colon = 0x3a;

/**
 * Reads the value that begins here, in a line of its own or behind dashes, and goes on to the next line.
 *
 * @param parent  how far what the value belongs to is indented; -1 at the top
 */
export function readBlock(scan: YamlScan, parent: number, keyStart: number, keyEnd: number): unknown {
  if (scan.code() === dash && scan.isGap(1)) return readList(scan, keyStart, keyEnd);
  const key = findKey(scan);
  if (key !== undefined) return readMap(scan, key, keyStart, keyEnd);
  return readLine(scan, parent, keyStart, keyEnd);
}

function readList(scan: YamlScan, keyStart: number, keyEnd: number): unknown[] {
  const { indent } = scan;
  const list: unknown[] = [];
  const row = scan.enter(keyStart, keyEnd);
  do {
    scan.at++;
    scan.path.push(list.length);
    list.push(readItem(scan, indent));
    scan.path.pop();
  } while (scan.indent === indent && scan.code() === dash && scan.isGap(1));
  scan.rows.close(row, scan.end);
  return list;
}

/** Reads what stands behind a dash. */
function readItem(scan: YamlScan, indent: number): unknown {
  if (scan.isLineDone()) {
    const empty = scan.at;
    scan.nextLine();
    return scan.indent > indent ? readBlock(scan, indent, -1, -1) : nothing(scan, -1, -1, empty);
  }
  scan.startBlockHere();
  return readBlock(scan, indent, -1, -1);
}

/** A key, before its colon. */
interface Key {
  readonly name: string;
  readonly end: number;
  readonly colon: number;
  readonly isQuoted: boolean;
}

/** As long as YAML allows a key to be that is not marked as one. */
const longestKey = 1024;

/** The key that begins here, if one does. */
function findKey(scan: YamlScan): Key | undefined {
  const { text, at } = scan;
  const isQuoted = scan.isQuote();
  if (!isQuoted && !scan.isPlain()) return undefined;
  const quoted = isQuoted ? scan.quoted() : "";
  const end = isQuoted ? scan.quotedEnd : plainEnd(text, at);
  let colonAt = end;
  while (text.charCodeAt(colonAt) === 0x20) colonAt++;
  if (text.charCodeAt(colonAt) !== colon || !scan.isGap(colonAt - at + 1)) return undefined;
  if (colonAt - at > longestKey || (isQuoted && scan.quotesSpanLines)) scan.handOver();
  return { name: isQuoted ? quoted : text.slice(at, end), end, colon: colonAt, isQuoted };
}

function readMap(scan: YamlScan, first: Key, keyStart: number, keyEnd: number): { [key: string]: unknown } {
  const { indent } = scan;
  const map: { [key: string]: unknown } = {};
  const row = scan.enter(keyStart, keyEnd);
  let count = 0;
  for (let key: Key | undefined = first; key !== undefined; ) {
    const start = scan.at;
    const entry = scan.rows.count;
    scan.checkKey(key.name, key.isQuoted, map);
    scan.at = key.colon + 1;
    scan.path.push(key.name);
    const value = readEntry(scan, indent, start, key.end);
    scan.path.pop();
    if (scan.later?.takes(++count, value)) scan.later.add(map, key.name, scan.rows.valueOf(entry)[0]);
    else setEntry(map, key.name, value);
    if (scan.indent !== indent) break;
    key = findKey(scan) ?? scan.handOver();
  }
  scan.rows.close(row, scan.end);
  return map;
}

/** Reads what stands behind a colon. */
function readEntry(scan: YamlScan, indent: number, keyStart: number, keyEnd: number): unknown {
  if (!scan.isLineDone()) return readLine(scan, indent, keyStart, keyEnd);
  const empty = scan.at;
  scan.nextLine();
  if (scan.indent > indent) return readBlock(scan, indent, keyStart, keyEnd);
  const isList = scan.indent === indent && scan.code() === dash && scan.isGap(1);
  return isList ? readList(scan, keyStart, keyEnd) : nothing(scan, keyStart, keyEnd, empty);
}

function nothing(scan: YamlScan, keyStart: number, keyEnd: number, at: number): null {
  scan.note(keyStart, keyEnd, at, at);
  return null;
}

/** Reads a value that is not itself a block, and goes on to the next line. */
function readLine(scan: YamlScan, parent: number, keyStart: number, keyEnd: number): unknown {
  const start = scan.at;
  let value: unknown;
  switch (scan.code()) {
    case 0x22:
    case 0x27:
      value = scan.quoted();
      scan.leaf(keyStart, keyEnd, scan.quotedEnd);
      break;
    case 0x7b:
    case 0x5b:
      value = readFlow(scan, keyStart, keyEnd);
      break;
    case 0x7c:
    case 0x3e: {
      const { text, end, next } = readBlockText(scan.text, start, parent) ?? scan.handOver();
      scan.leaf(keyStart, keyEnd, end);
      scan.at = next;
      value = text;
      break;
    }
    default:
      value = readPlain(scan, parent, keyStart, keyEnd);
  }
  // A scalar alone at the top is no file of ours.
  if (parent === -1 && (typeof value !== "object" || value === null)) scan.handOver();
  scan.endLine();
  return value;
}

/** Reads a scalar without quotes, with the lines that go on with it. */
function readPlain(scan: YamlScan, parent: number, keyStart: number, keyEnd: number): unknown {
  const { text, at } = scan;
  if (!scan.isPlain()) scan.handOver();
  let end = plainEnd(text, at);
  for (let next = lineGoingOn(text, end, parent); next !== -1; next = lineGoingOn(text, end, parent)) {
    end = plainEnd(text, next);
  }
  return scan.plain(foldLines(text.slice(at, end)), keyStart, keyEnd, end);
}

/** Where a plain scalar ends in this line: before a comment, a colon with a gap behind it, or blanks to the end. */
function plainEnd(text: string, start: number): number {
  let end = start;
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === colon) {
      const next = text.charCodeAt(at + 1);
      if (next === 0x20 || next === newline || Number.isNaN(next)) return end;
      end = at + 1;
    } else if (code === 0x20) {
      if (text.charCodeAt(at + 1) === 0x23) return end;
    } else if (code === newline || code === 0x09 || Number.isNaN(code)) {
      return end;
    } else {
      end = at + 1;
    }
  }
}

/** Where the next line begins that goes on with a plain scalar which ends here; -1 when there is none. */
function lineGoingOn(text: string, end: number, parent: number): number {
  let at = end;
  while (text.charCodeAt(at) === 0x20) at++;
  while (text.charCodeAt(at) === newline) {
    const start = at + 1;
    at = start;
    while (text.charCodeAt(at) === 0x20) at++;
    const code = text.charCodeAt(at);
    if (code === newline) continue;
    return at - start > parent && code !== 0x23 && !Number.isNaN(code) ? at : -1;
  }
  return -1;
}
