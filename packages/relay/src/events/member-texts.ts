import {
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  quote,
  scanScalar,
  skipBlanks,
} from "./json-scanner.js";

/** Gives a member's value as it is written; nothing if there is no such member. */
export type MemberText = (name: string) => string | undefined;

/**
 * Finds the values of an object's members in its JSON, which is valid. Of a name that stands there twice the last one counts,
 * as `JSON.parse` has it. What is passed on in this way keeps its digits, and the order of its members.
 */
export function memberTexts(json: Buffer, names: ReadonlySet<string>): MemberText {
  const places = new Map<string, readonly [start: number, end: number]>();
  let at = skipBlanks(json, 0) + 1;
  for (;;) {
    const opens = skipBlanks(json, at);
    if (json[opens] !== quote) break;
    const closes = scanScalar(json, opens);
    const start = skipBlanks(json, skipBlanks(json, closes) + 1);
    const end = valueEnd(json, start);
    const name: string = JSON.parse(json.toString("utf8", opens, closes));
    if (names.has(name)) places.set(name, [start, end]);
    at = skipBlanks(json, end);
    if (json[at] !== comma) break;
    at++;
  }
  return (name) => {
    const place = places.get(name);
    return place === undefined ? undefined : json.toString("utf8", ...place);
  };
}

function valueEnd(json: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const first = json[at];
    if (first === quote) {
      at = scanScalar(json, at);
      continue;
    }
    if (first === openBrace || first === openBracket) depth++;
    else if (first === closeBrace || first === closeBracket) depth--;
    else if (depth === 0) return scanScalar(json, at);
    at++;
  } while (depth > 0);
  return at;
}
