import { INFINITE, MAX_DEPTH, TOO_DEEP } from "./json-fault.js";

/** No application has as many; what they cost is not in proportion to their length. */
const MAX_MEMBERS = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** With this bit brackets are braces, and letters small ones. */
const BIT = 0x20;

/**
 * What would make the value of a JSON text unusable, or too much work: too many levels, too many members, a number that would
 * become infinite. Of a text that is no JSON it says nothing of use. With very many members going through the value takes longer than
 * parsing it, and parsing it too long.
 */
export function textFault(text: string): string | undefined {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at);
    else if (code === COLON) members++;
    else if ((code | BIT) === 0x7d) depth--;
    else if ((code | BIT) === 0x7b) {
      if (depth++ > MAX_DEPTH) return TOO_DEEP;
    } else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      if (isInfinite(text, at, end)) return INFINITE;
      at = end - 1;
    }
  }
  return members > MAX_MEMBERS ? `it has ${members} members; there may be ${MAX_MEMBERS}` : undefined;
}

/** Where the string that begins at a place ends. */
function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The place after the number that begins at a place: after digits, `.`, `+`, `-` and `e`. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (!isDigit(code) && code !== 0x2e && code !== 0x2b && code !== 0x2d && (code | BIT) !== 0x65) break;
  }
  return end;
}

const SHORTEST_INFINITE = "1e309".length;

function isInfinite(text: string, start: number, end: number): boolean {
  return end - start >= SHORTEST_INFINITE && !Number.isFinite(Number(text.slice(start, end)));
}
