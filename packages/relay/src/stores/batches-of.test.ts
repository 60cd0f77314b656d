import { expect, test } from "vitest";
import { batchesOf } from "./batches-of.js";

const batches = (...sizes: number[]) =>
  [...batchesOf(sizes, { count: 3, bytes: 10, sizeOf: (size) => size })].map((batch) => [...batch]);

test.each<[sizes: number[], expected: number[][]]>([
  [[], []],
  [[1], [[1]]],
  [[1, 1, 1], [[1, 1, 1]]],
  [
    [1, 1, 1, 1],
    [[1, 1, 1], [1]],
  ],
  [[4, 6], [[4, 6]]],
  [
    [4, 7],
    [[4], [7]],
  ],
  [
    [11, 1, 11],
    [[11], [1], [11]],
  ],
  [
    [5, 5, 5, 5],
    [
      [5, 5],
      [5, 5],
    ],
  ],
])("%j in batches of three, and of ten bytes, are %j", (sizes, expected) => {
  expect(batches(...sizes)).toEqual(expected);
});
