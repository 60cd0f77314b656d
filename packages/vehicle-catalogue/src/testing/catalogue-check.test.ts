import { expect, test } from "vitest";
import { same } from "./catalogue-check.js";

test.each<readonly [actual: unknown, expected: unknown]>([
  [
    { a: 1, b: { c: 2, d: [3] } },
    { b: { d: [3], c: 2 }, a: 1 },
  ],
  [
    [1, 2],
    [1, 2],
  ],
  [null, null],
  [undefined, undefined],
])("%j is the same as %j", (actual, expected) => {
  expect(() => same(actual, expected)).not.toThrow();
});

test.each<readonly [actual: unknown, expected: unknown, says: string]>([
  [1, 2, "expected 2, got 1"],
  [[1, 2], [2, 1], "expected [2,1], got [1,2]"],
  [{ b: 1, a: 2 }, { a: 2 }, 'expected {"a":2}, got {"a":2,"b":1}'],
  [null, {}, "expected {}, got null"],
  [undefined, null, "expected null, got undefined"],
])("%j is other than %j, which is told with what was expected first", (actual, expected, says) => {
  expect(() => same(actual, expected)).toThrow(new Error(says));
});
