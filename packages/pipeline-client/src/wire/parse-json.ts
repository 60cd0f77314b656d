import { inexactIntegers } from "@wye/pipeline-spec";

/** A number, between the signs that may stand around one, that may have more digits than a double holds, or be larger than any. */
const doubtful = String.raw`(?<=[[:,\s])-?(?:\d{16,}|\d+(?:\.\d+)?[eE]\+?\d{3,})(?=[,\]}\s])`;

/**
 * JSON of a server as values. What no number of JavaScript holds becomes the text of its digits, as int64 is written: an integer that would
 * become another one, and a number beyond all doubles, which would become none.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!new RegExp(doubtful).test(text)) return value;
  const kept = withTexts(text);
  return kept === text ? value : JSON.parse(kept);
}

/** The same JSON with such numbers in quotes. */
function withTexts(text: string): string {
  let isQuoted = false;
  return text.replaceAll(new RegExp(String.raw`\\.|"|${doubtful}`, "g"), (token) => {
    if (token === '"') isQuoted = !isQuoted;
    return isQuoted || !isLost(token) ? token : `"${token}"`;
  });
}

function isLost(token: string): boolean {
  return /\d$/.test(token) && (inexactIntegers(token).size > 0 || !Number.isFinite(Number(token)));
}
