import { foldLines, trimEnd } from "./fold-lines.js";

/**
 * The text in the quotes from `start` to `end`, of either kind: undefined when there are none, or when an escape is not
 * one. The rules are those of YAML, which include those of JSON.
 */
export function textInQuotes(text: string, start: number, end: number): string | undefined {
  const quote = text.charCodeAt(start);
  if (quote === 0x22) return doubleQuoted(text, start + 1, end - 1);
  return quote === 0x27 ? singleQuoted(text, start + 1, end - 1) : undefined;
}

/** The place after the quote that ends the text which begins at `start`; -1 when there is none. */
export function endOfQuotes(text: string, start: number): number {
  if (text.charCodeAt(start) === 0x22) return endOfDoubleQuotes(text, start);
  let end = text.indexOf("'", start + 1);
  while (end !== -1 && text.charCodeAt(end + 1) === 0x27) end = text.indexOf("'", end + 2);
  return end + 1 || -1;
}

function endOfDoubleQuotes(text: string, start: number): number {
  let end = start;
  let backslashes: number;
  do {
    end = text.indexOf('"', end + 1);
    if (end === -1) return -1;
    backslashes = end - 1;
    while (text.charCodeAt(backslashes) === 0x5c) backslashes--;
  } while ((end - 1 - backslashes) % 2 === 1);
  return end + 1;
}

function singleQuoted(text: string, start: number, end: number): string {
  const lines = foldLines(text.slice(start, end));
  return lines.includes("''") ? lines.replaceAll("''", "'") : lines;
}

function doubleQuoted(text: string, start: number, end: number): string | undefined {
  const source = text.slice(start, end);
  let special = nextSpecial(source, 0);
  if (special === source.length) return source;
  let result = "";
  let at = 0;
  for (; special < source.length; special = nextSpecial(source, at)) {
    const plain = source.slice(at, special);
    const isBreak = source.charCodeAt(special) === 0x0a;
    const [read, next] = isBreak ? foldBreak(source, special) : readEscape(source, special + 1);
    if (read === undefined) return undefined;
    result += isBreak ? trimEnd(plain) : plain;
    result += read;
    at = next;
  }
  return result + source.slice(at);
}

/** The place of the next backslash or line break; the length when there is none. Programs have thousands of them. */
function nextSpecial(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 0x5c || code === 0x0a) return at;
  }
  return source.length;
}

type Piece = readonly [text: string | undefined, next: number];

/** A line break is a blank, and each empty line after it a break. */
function foldBreak(source: string, at: number): Piece {
  const next = skip(source, at, " \t\n");
  const breaks = source.slice(at, next).split("\n").length - 2;
  return [breaks === 0 ? " " : "\n".repeat(breaks), next];
}

const escapes: Readonly<Record<string, string>> = {
  ...{ "0": "\0", a: "\x07", b: "\b", t: "\t", "\t": "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b" },
  ...{ " ": " ", '"': '"', "/": "/", "\\": "\\", N: "\u0085", _: "\u00a0", L: "\u2028", P: "\u2029" },
};
const digits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** What stands behind a backslash at `at - 1`. */
function readEscape(source: string, at: number): Piece {
  const letter = source[at] ?? "";
  const short = escapes[letter];
  if (short !== undefined) return [short, at + 1];
  // A line break is left out, with the blanks that the next line begins with; each empty line is a break.
  if (letter === "\n") {
    const next = skip(source, at + 1, " \t\n");
    return ["\n".repeat(source.slice(at + 1, next).split("\n").length - 1), next];
  }
  const length = digits[letter];
  const code = source.slice(at + 1, at + 1 + (length ?? 0));
  if (code.length !== length || !/^[0-9a-fA-F]+$/.test(code)) return [undefined, at];
  const point = Number.parseInt(code, 16);
  return [point <= 0x10ffff ? String.fromCodePoint(point) : undefined, at + 1 + length];
}

function skip(source: string, at: number, what: string): number {
  let next = at;
  while (next < source.length && what.includes(source.charAt(next))) next++;
  return next;
}
