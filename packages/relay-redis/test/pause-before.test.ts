import { expect, test } from "vitest";
import { pauseBefore } from "../src/pause-before.js";

test.each([
  [0, 50],
  [1, 100],
  [6, 3200],
  [7, 5000],
  [100, 5000],
  [10_000, 5000],
])("before attempt %i at most %i ms are waited, and at least half of that", (attempt, longest) => {
  expect(pauseBefore(attempt, 1)).toBe(longest);
  expect(pauseBefore(attempt, 0)).toBe(longest / 2);
});
