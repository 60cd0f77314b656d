import { describe, expect, test } from "vitest";
import { prepareQuery } from "./search-query.js";

const aliases = new Map([
  ["vw", "volkswagen"],
  ["mb", "mercedes benz"],
]);
const runsOf = (text: string): readonly string[] => [...(prepareQuery(text, aliases)?.runs ?? [])];
const piecesOf = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(prepareQuery(text, aliases)?.pieces ?? []);

describe("the runs of a query", () => {
  test.each([
    ["one", ["one"]],
    ["one two", ["one", "onetwo", "two"]],
    ["id.3 pro", ["id3", "id3pro", "pro"]],
    ["b b", ["b", "bb"]],
    // Those of the words that are meant follow those that were typed.
    ["vw up", ["vw", "vwup", "up", "volkswagen", "volkswagenup"]],
    ["mb", ["mb", "mercedes", "mercedesbenz", "benz"]],
  ])("%s", (text, runs) => {
    expect(runsOf(text)).toEqual(runs);
  });

  test("have six words at most, wherever they begin", () => {
    expect(runsOf("a b c d e f g")).toEqual([
      ...["a", "ab", "abc", "abcd", "abcde", "abcdef"],
      ...["b", "bc", "bcd", "bcde", "bcdef", "bcdefg"],
      ...["c", "cd", "cde", "cdef", "cdefg"],
      ...["d", "de", "def", "defg"],
      ...["e", "ef", "efg", "f", "fg", "g"],
    ]);
  });
});

describe("the pieces of a query", () => {
  test.each<[string, Readonly<Record<string, number>>]>([
    ["ab", { "  a": 1, " ab": 1, "ab ": 1 }],
    // Those of both words in one are beside those of each.
    ["a b", { "  a": 1, " a ": 1, "  b": 1, " b ": 1, " ab": 1, "ab ": 1 }],
    ["a.b", { "  a": 1, " a.": 1, "a.b": 1, ".b ": 1, " ab": 1, "ab ": 1 }],
    // Of a short name those of what it means; but in one word, what was typed.
    ["vw", { ...piecesOf("volkswagen"), "  v": 1, " vw": 1, "vw ": 1 }],
  ])("%s", (text, pieces) => {
    expect(piecesOf(text)).toEqual(pieces);
  });

  test.each([
    ["ev", 1],
    ["ev bev", 1],
    ["ev up", 0.25],
    ["up ev", 0.25],
  ])("of filler words count less beside others: %s", (text, weight) => {
    expect(piecesOf(text)["ev "]).toBe(weight);
  });

  test("that a filler word shares with another count whole, in either order", () => {
    for (const text of ["ev even", "even ev"])
      expect(piecesOf(text)).toMatchObject({ "  e": 1, " ev": 1, "ev ": 0.25, eve: 1 });
  });
});

test.each(["", "!!!", " , "])("“%s” has nothing to look for", (text) => {
  expect(prepareQuery(text, aliases)).toBeUndefined();
});
