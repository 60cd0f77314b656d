import { expect, test } from "vitest";
import { quote, quoteList } from "./quote.js";

test.each([
  ["a", '"a"'],
  ['say "a"\n', '"say \\"a\\"\\n"'],
  ["x".repeat(80), `"${"x".repeat(80)}"`],
  ["x".repeat(81), `"${"x".repeat(77)}…"`],
])("a name stands in quotes, and is cut behind 80 characters: %j", (name, quoted) => {
  expect(quote(name)).toBe(quoted);
});

test.each<[names: string[], most: number | undefined, quoted: string]>([
  [[], undefined, ""],
  [["a", "b", "c"], undefined, '"a", "b", "c"'],
  [["a", "b", "c", "d"], undefined, '"a", "b", "c" and 1 more'],
  [["a", "b", "c", "d"], 1, '"a" and 3 more'],
  [["a"], 1, '"a"'],
])("of %j the first are named, and the others counted", (names, most, quoted) => {
  expect(quoteList(names, most)).toBe(quoted);
});
