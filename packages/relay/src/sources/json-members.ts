/** Where a value stands in a JSON text. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;

/**
 * Finds the members of the object that starts at or after `from`, without building anything. The text must be valid JSON,
 * as `JSON.parse` has established before; a repeated name counts with its last value, as it does there, and is told.
 */
export function jsonMembers(
  text: string,
  from = 0,
  repeated: (name: string, at: number) => void = () => {},
): Map<string, JsonSpan> {
  const members = new Map<string, JsonSpan>();
  let at = skipBlanks(text, skipBlanks(text, from) + 1);
  while (text.charCodeAt(at) === quote) {
    const nameEnd = endOfString(text, at);
    const name = text.slice(at, nameEnd);
    const start = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    const end = endOfValue(text, start);
    const plain = name.includes("\\") ? String(JSON.parse(name)) : name.slice(1, -1);
    if (members.has(plain)) repeated(plain, at);
    members.set(plain, { start, end });
    at = skipBlanks(text, end);
    if (text.charCodeAt(at) === comma) at = skipBlanks(text, at + 1);
  }
  return members;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The place after the closing quote of the string that opens at `open`. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (text.charCodeAt(close - 1) === backslash && isEscaped(text, close)) {
    close = text.indexOf('"', close + 1);
  }
  return close + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++;
  return backslashes % 2 === 1;
}

/** The place after the value that starts at `from`. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (depth === 0) return at;
    } else if (code === 0x7b || code === 0x5b) {
      depth++;
      at++;
    } else if (code === 0x7d || code === 0x5d) {
      // Closes the value itself, or (after a number or word) the object around it.
      if (depth === 0) return at;
      depth--;
      at++;
      if (depth === 0) return at;
    } else if (depth === 0 && (code === comma || code === colon || isBlank(code))) {
      return at;
    } else {
      at++;
    }
  }
  return text.length;
}
