import { expect, test } from "vitest";
import { nestingDepths } from "./nesting.js";

const cases = [
  { name: "nothing", references: [], depths: [] },
  { name: "no references", references: [[], []], depths: [1, 1] },
  { name: "a chain", references: [[1], [2], []], depths: [3, 2, 1] },
  { name: "a chain backwards", references: [[], [0], [1]], depths: [1, 2, 3] },
  { name: "a diamond", references: [[1, 2], [3], [3], []], depths: [3, 2, 2, 1] },
  { name: "itself", references: [[0]], depths: [1] },
  { name: "a circle", references: [[1], [2], [0]], depths: [3, 3, 3] },
  { name: "a circle with an entrance and an exit", references: [[1], [2], [1, 3], []], depths: [4, 3, 3, 1] },
  { name: "some that are not there", references: [[1], undefined, [3, 9], []], depths: [1, 0, 2, 1] },
  { name: "two circles", references: [[1], [0, 2], [3], [2]], depths: [4, 4, 2, 2] },
];

for (const { name, references, depths } of cases) {
  test(`depths of ${name}`, () => {
    expect(nestingDepths(references)).toEqual(depths);
  });
}

test("a chain of 100,000 does not exhaust the stack", () => {
  const depths = nestingDepths(Array.from({ length: 100_000 }, (_, i) => (i < 99_999 ? [i + 1] : [])));
  expect([depths[0], depths[99_999]]).toEqual([100_000, 1]);
});
