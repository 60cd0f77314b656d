import { expect, test } from "vitest";
import { closest } from "./closest.js";

const known = ["filter[id]", "include", "page[size]", "q", "sort"];

test.each([
  ["include", "include"],
  ["INCLUDE", "include"],
  ["includes", "include"],
  ["inclde", "include"],
  ["inklude", "include"],
  ["inxxxde", "include"],
  ["ixxxxde", undefined],
  ["srot", "sort"],
  ["xxrt", "sort"],
  ["xxxt", undefined],
  ["so", undefined],
  ["s", undefined],
  ["p", undefined],
  ["", undefined],
  ["filter[ids]", "filter[id]"],
  ["filxxx[id]", "filter[id]"],
  ["fixxxx[id]", undefined],
])("%j is likely meant for %s", (name, meant) => expect(closest(name, known)).toBe(meant));

test("of several near ones the nearest is meant, and of equally near ones the first", () => {
  expect(closest("abcd", ["abxx", "abcx", "abce"])).toBe("abcx");
});

test("the letter case of what there is does not count either", () => {
  expect(closest("max_age", ["other", "MAX_AGE"])).toBe("MAX_AGE");
});
