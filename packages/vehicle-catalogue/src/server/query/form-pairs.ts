/** A name and its value. */
export type FormPair = readonly [name: string, value: string];

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII as well
const literal = /^[\u0000-\u0024\u0026-\u002a\u002c-\u007f]*$/;

/** Reads a query string as `URLSearchParams` does, of which only a string with something to decode has need. */
export function formPairs(search: string): readonly FormPair[] {
  // A question mark in front is what the constructor takes off.
  if (!literal.test(search)) return [...new URLSearchParams(`?${search}`)];
  const pairs: FormPair[] = [];
  for (const pair of search.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    pairs.push(equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)]);
  }
  return pairs;
}
