// Reads JSON from bytes without building anything: each function gives the place after what it has read, or `broken`.

/** The place after something that is not JSON. */
export const broken = -1;

const blank = 0x20;
const quote = 0x22;
export const comma = 0x2c;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
const backslash = 0x5c;
const colon = 0x3a;
const minus = 0x2d;
const plus = 0x2b;
const point = 0x2e;
const zero = 0x30;
const escapable = new Set(Buffer.from('"\\/bfnrt'));
const words = new Map(["true", "false", "null"].map((word) => [word.charCodeAt(0), Buffer.from(word)]));
/** Marks the bytes that stand for themselves in a text. */
const plain = new Uint8Array(256).fill(1, 0x20);
plain[quote] = 0;
plain[backslash] = 0;

export function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  // There are none between most of what is read.
  while ((bytes[at] ?? quote) <= blank && isBlank(bytes[at])) at++;
  return at;
}

/** Reads the name of a member and its colon, up to where the value begins. */
export function scanName(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== quote) return broken;
  const end = scanString(bytes, from);
  if (end === broken) return broken;
  const at = skipBlanks(bytes, end);
  return bytes[at] === colon ? skipBlanks(bytes, at + 1) : broken;
}

/** Reads a text, a number, `true`, `false` or `null`. */
export function scanScalar(bytes: Uint8Array, from: number): number {
  const first = bytes[from] ?? 0;
  if (first === quote) return scanString(bytes, from);
  if (first === minus || isDigit(first)) return scanNumber(bytes, from);
  const word = words.get(first);
  if (word === undefined) return broken;
  for (let i = 1; i < word.length; i++) if (bytes[from + i] !== word[i]) return broken;
  return from + word.length;
}

function scanString(bytes: Uint8Array, open: number): number {
  let at = open + 1;
  for (;;) {
    // Behind the end there is nothing that stands for itself.
    while (plain[bytes[at] ?? 0] === 1) at++;
    if (bytes[at] === quote) return at + 1;
    if (bytes[at] !== backslash) return broken;
    at++;
    if (bytes[at] === 0x75) {
      for (let digit = 1; digit <= 4; digit++) if (!isHexDigit(bytes[at + digit] ?? 0)) return broken;
      at += 5;
    } else if (escapable.has(bytes[at] ?? 0)) {
      at++;
    } else {
      return broken;
    }
  }
}

function scanNumber(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === minus ? from + 1 : from;
  at = bytes[at] === zero ? at + 1 : scanDigits(bytes, at);
  if (at !== broken && bytes[at] === point) at = scanDigits(bytes, at + 1);
  if (at === broken || (bytes[at] !== 0x65 && bytes[at] !== 0x45)) return at;
  const sign = bytes[at + 1];
  return scanDigits(bytes, sign === plus || sign === minus ? at + 2 : at + 1);
}

/** Reads one digit or more. */
function scanDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at] ?? 0)) at++;
  return at === from ? broken : at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === blank || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}
