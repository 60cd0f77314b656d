import { expect, test } from "vitest";
import { checkMs, checkShare, serverTimeout } from "./numbers.js";

const longest = 2 ** 31 - 1;

test.each([
  [1, 1],
  [1.5, 1.5],
  [longest, longest],
  [longest + 1, longest],
  [Number.POSITIVE_INFINITY, longest],
])("a time of %d ms is %d for timers", (ms, taken) => expect(checkMs("pollMs", ms)).toBe(taken));

test.each<readonly [ms: unknown, shown: string]>([
  [0.999, "0.999"],
  [0, "0"],
  [-1, "-1"],
  [Number.NaN, "NaN"],
  ["5", '"5"'],
  [5n, "5"],
  [undefined, "nothing"],
])("%o is no time", (ms, shown) => {
  expect(() => checkMs("pollMs", ms as number)).toThrow(
    new TypeError(`pollMs must be a number of milliseconds from 1; got ${shown}`),
  );
});

test.each([0, 0.5, 1])("%d is a share", (share) => expect(checkShare(share)).toBe(share));

test.each<readonly [share: unknown, shown: string]>([
  [-0.001, "-0.001"],
  [1.001, "1.001"],
  [Number.NaN, "NaN"],
  ["1", '"1"'],
  [1n, "1"],
  [null, "null"],
])("%o is no share", (share, shown) => {
  expect(() => checkShare(share as number)).toThrow(
    new TypeError(`leastShare must be a number from 0 to 1; got ${shown}`),
  );
});

test.each([
  [0.1, 1],
  [1, 1],
  [1.001, 2],
  [longest, longest],
  [longest + 0.5, longest],
  [Number.POSITIVE_INFINITY, longest],
])("the server is told %d ms as %d", (ms, told) => expect(serverTimeout(ms)).toBe(told));
