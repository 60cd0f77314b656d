/** Where a value stands in a JSON text. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const opening = 0x7b;
const openingList = 0x5b;
const closingList = 0x5d;

/**
 * Goes through the members of the object that starts at or after `from`, without building anything; gives the place where it
 * ends. `visit` is told where a value begins, and may say where it ends if it has looked itself. Of a text that is not
 * JSON the places mean nothing.
 */
export function visitMembers(
  text: string,
  from: number,
  visit: (name: string, start: number, nameAt: number) => number | undefined,
): number {
  const open = skipBlanks(text, from);
  if (text.charCodeAt(open) !== opening) return endOfValue(text, open);
  let at = skipBlanks(text, open + 1);
  while (text.charCodeAt(at) === quote) {
    const nameEnd = endOfString(text, at);
    const name = nameOf(text.slice(at, nameEnd));
    const start = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    at = skipBlanks(text, visit(name, start, at) ?? endOfValue(text, start));
    if (text.charCodeAt(at) === comma) at = skipBlanks(text, at + 1);
  }
  return at + 1;
}

/** The members of the object that starts at or after `from`; a repeated name counts with its last value, and is told. */
export function jsonMembers(
  text: string,
  from = 0,
  repeated: (name: string, at: number) => void = () => {},
): Map<string, JsonSpan> {
  const members = new Map<string, JsonSpan>();
  visitMembers(text, from, (name, start, nameAt) => {
    const end = endOfValue(text, start);
    if (members.has(name)) repeated(name, nameAt);
    members.set(name, { start, end });
    return end;
  });
  return members;
}

/** The elements of the list that starts at or after `from`. */
export function jsonElements(text: string, from: number): readonly JsonSpan[] {
  const elements: JsonSpan[] = [];
  const open = skipBlanks(text, from);
  if (text.charCodeAt(open) !== openingList) return elements;
  let start = skipBlanks(text, open + 1);
  while (start < text.length && text.charCodeAt(start) !== closingList) {
    const end = endOfValue(text, start);
    elements.push({ start, end });
    const after = skipBlanks(text, end);
    start = text.charCodeAt(after) === comma ? skipBlanks(text, after + 1) : after;
  }
  return elements;
}

/** The numbers of a text as they stand there, and a quote for each string, with the places where they begin. */
export function* jsonTokens(text: string): Generator<readonly [written: string, at: number]> {
  const token = /"|-?\d[\d.eE+-]*/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    yield [match[0], match.index];
    if (match[0] === '"') token.lastIndex = endOfString(text, match.index);
  }
}

/** The place after the value that starts at `from`. */
export function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (depth === 0) return at;
    } else if (code === opening || code === openingList) {
      depth++;
      at++;
    } else if (code === 0x7d || code === closingList) {
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

function nameOf(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    // No JSON: whoever reads the text finds out.
    return quoted;
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The place after the closing quote of the string that opens at `open`; the end of the text if there is none. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close >= 0 && text.charCodeAt(close - 1) === backslash && isEscaped(text, close)) {
    close = text.indexOf('"', close + 1);
  }
  return close < 0 ? text.length : close + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++;
  return backslashes % 2 === 1;
}
