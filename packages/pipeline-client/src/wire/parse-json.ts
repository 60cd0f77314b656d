import { inexactIntegers } from "@wye/pipeline-spec";

/**
 * JSON of a server as values. What no number of JavaScript holds becomes the text of its digits, as int64 is written: an integer that would
 * become another one, and a number beyond all doubles, which would become none.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Nearly no answer has such a number: to look at its values takes less than to look at its text.
  return hasLarge(value) ? JSON.parse(withTexts(text)) : value;
}

/** Whether a number is among these values that may have been another one. */
function hasLarge(value: unknown): boolean {
  // Values may be nested deeper than functions can call themselves.
  const open: unknown[] = [[value]];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const member of Object.values(Object(one))) {
      if (typeof member === "object" && member !== null) open.push(member);
      else if (typeof member === "number" && !Number.isSafeInteger(Math.trunc(member))) return true;
    }
  }
  return false;
}

/** A string's end, a sign that is spelt out in one, or a number. */
const tokens = /\\.|"|-?\d[\d.eE+-]*/g;

/** The same JSON with such numbers in quotes. */
function withTexts(text: string): string {
  let isQuoted = false;
  return text.replaceAll(tokens, (token) => {
    if (token === '"') isQuoted = !isQuoted;
    return isQuoted || !/\d$/.test(token) || !isLost(token) ? token : `"${token}"`;
  });
}

function isLost(number: string): boolean {
  return inexactIntegers(number).size > 0 || !Number.isFinite(Number(number));
}
