import type { CharSet, Range } from "./char-set.js";
import { PatternSyntaxError } from "./syntax-tree.js";
import type { TextCursor } from "./text-cursor.js";

const DIGITS: Range = [0x30, 0x39];
const UPPER: Range = [0x41, 0x5a];
const LOWER: Range = [0x61, 0x7a];
const WORD: readonly Range[] = [DIGITS, UPPER, [0x5f, 0x5f], LOWER];

/** `\d`, `\s` and `\w`; upper case for all others. As everywhere in RE2, they know ASCII only. */
const perlSets: ReadonlyMap<string, readonly Range[]> = new Map([
  ["d", [DIGITS]],
  ["s", ranges([9, 10], [12, 13], [32, 32])],
  ["w", WORD],
]);

/** `[:alpha:]` and so on. */
const posixSets: ReadonlyMap<string, readonly Range[]> = new Map([
  ["alnum", [DIGITS, UPPER, LOWER]],
  ["alpha", [UPPER, LOWER]],
  ["ascii", ranges([0, 0x7f])],
  ["blank", ranges([9, 9], [32, 32])],
  ["cntrl", ranges([0, 0x1f], [0x7f, 0x7f])],
  ["digit", [DIGITS]],
  ["graph", ranges([0x21, 0x7e])],
  ["lower", [LOWER]],
  ["print", ranges([0x20, 0x7e])],
  ["punct", ranges([0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e])],
  ["space", ranges([9, 13], [32, 32])],
  ["upper", [UPPER]],
  ["word", WORD],
  ["xdigit", [DIGITS, [0x41, 0x46], [0x61, 0x66]]],
]);

const controlEscapes: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
]);

/** Reads a set with a name (`\d`, `\p{Greek}`) into a set; false if there is none here. */
export function parseNamedSet(cursor: TextCursor, set: CharSet): boolean {
  const perl = cursor.takeMatch(/\\([dswDSW])/y)?.[1];
  if (perl !== undefined) {
    const lower = perl.toLowerCase();
    set.addRanges(perlSets.get(lower) ?? [], perl !== lower);
    return true;
  }
  const property = cursor.takeMatch(/\\([pP])(?:\{(\^?)([^}]*)\}|([^{]))/uy);
  if (property === undefined) return false;
  const [, letter, caret, braced, single] = property;
  const name = braced ?? single ?? "";
  if (!set.addProperty(name, (letter === "P") !== (caret === "^"))) {
    throw new PatternSyntaxError(`knows no property ${name}`);
  }
  return true;
}

/** Reads a set of the form `[:name:]` into a set; false if there is none here. */
export function parsePosixSet(cursor: TextCursor, set: CharSet): boolean {
  const found = cursor.takeMatch(/\[:(\^?)(.*?):\]/sy);
  if (found === undefined) return false;
  const [, caret, name = ""] = found;
  const known = posixSets.get(name);
  if (known === undefined) throw new PatternSyntaxError(`knows no set [:${name}:]`);
  set.addRanges(known, caret === "^");
  return true;
}

/** Reads an escape that stands for one character. The cursor stands on the backslash. */
export function parseEscape(cursor: TextCursor): number {
  const octal = cursor.takeMatch(/\\([1-7][0-7]{1,2}|0[0-7]{0,2})/y)?.[1];
  if (octal !== undefined) return Number.parseInt(octal, 8);
  const hex = cursor.takeMatch(/\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})/y);
  if (hex !== undefined) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? "", 16);
    if (code <= 0x10ffff) return code;
    throw new PatternSyntaxError("has an escape beyond Unicode");
  }
  const control = cursor.takeMatch(/\\([afnrtv])/y)?.[1];
  if (control !== undefined) return controlEscapes.get(control) ?? 0;
  cursor.take("\\");
  const code = cursor.next();
  // RE2 gives no meaning to escaped letters and digits that it does not know.
  if (code >= 0x80 || /[0-9A-Za-z]/.test(String.fromCharCode(code))) {
    throw new PatternSyntaxError("has an unknown escape");
  }
  return code;
}

function ranges(...list: readonly Range[]): readonly Range[] {
  return list;
}
