/** Gives a member's value as it is written; nothing if there is no such member. */
export type MemberText = (name: string) => string | undefined;

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const backslash = 0x5c;
const blank = 0x20;

/**
 * Finds the values of an object's members in its JSON, which is valid. Of a name that stands there twice the last one counts,
 * as `JSON.parse` has it. What is passed on in this way keeps its digits, and the order of its members.
 */
export function memberTexts(json: string, names: ReadonlySet<string>): MemberText {
  const texts = new Map<string, string>();
  let at = skipBlanks(json, 0);
  do {
    const opens = skipBlanks(json, at + 1);
    // An object without members ends here.
    if (json.charCodeAt(opens) !== quote) break;
    const closes = stringEnd(json, opens);
    const start = skipBlanks(json, skipBlanks(json, closes) + 1);
    const end = valueEnd(json, start);
    const name = nameFrom(json.slice(opens, closes));
    if (names.has(name)) texts.set(name, json.slice(start, end));
    at = skipBlanks(json, end);
  } while (json.charCodeAt(at) === comma);
  return (name) => texts.get(name);
}

function nameFrom(text: string): string {
  return text.includes("\\") ? JSON.parse(text) : text.slice(1, -1);
}

function skipBlanks(json: string, from: number): number {
  let at = from;
  while (json.charCodeAt(at) <= blank) at++;
  return at;
}

/** The place behind a text that opens here. */
function stringEnd(json: string, opens: number): number {
  let at = opens;
  for (;;) {
    at = json.indexOf('"', at + 1);
    let before = at - 1;
    while (json.charCodeAt(before) === backslash) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
}

function valueEnd(json: string, start: number): number {
  const first = json.charCodeAt(start);
  if (first === quote) return stringEnd(json, start);
  return first === openBrace || first === openBracket ? bracketEnd(json, start) : scalarEnd(json, start);
}

function bracketEnd(json: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const code = json.charCodeAt(at);
    if (code === quote) at = stringEnd(json, at) - 1;
    else if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) depth--;
    at++;
  } while (depth > 0);
  return at;
}

/** A number or a word goes up to a blank, a comma or a bracket. */
function scalarEnd(json: string, start: number): number {
  let at = start;
  for (;;) {
    const code = json.charCodeAt(at);
    if (code <= blank || code === comma || code === closeBrace) return at;
    at++;
  }
}
