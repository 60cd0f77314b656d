import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.js";

const known = ["in", "values", "negate", "variation", "variations", "contextKind"];

test.each([
  ["values", "values"],
  ["value", "values"],
  ["vlaues", "values"],
  ["VALUES", "values"],
  ["vals", undefined],
  ["valuesss", "values"],
  ["valuessss", undefined],
  ["xxlues", "values"],
  ["xxxues", undefined],
  ["variationz", "variation"],
  ["variationss", "variations"],
  ["contextkind", "contextKind"],
  ["on", "in"],
  ["i", "in"],
  ["is", "in"],
  ["inx", "in"],
  ["inxx", undefined],
  ["xx", undefined],
  ["nx", undefined],
  ["riationz", undefined],
  ["", undefined],
  ["nega", undefined],
  ["negat", "negate"],
  ["negtx", "negate"],
  ["neg", undefined],
])("%j is probably %j", (name, meant) => {
  expect(nearestName(name, known)).toBe(meant);
});

test("of several the nearest is meant, and of those as near the first", () => {
  expect(nearestName("abcdx", ["abcyz", "abcd", "abce"])).toBe("abcd");
  expect(nearestName("abcx", ["abca", "abcb"])).toBe("abca");
  expect(nearestName("abc", [])).toBeUndefined();
});
