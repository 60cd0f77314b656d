import { expect, test } from "vitest";
import { giveBackBody, lendBody } from "./lent-bodies.js";

const mebibyte = 2 ** 20;

test.each([
  [0, 4096],
  [1, 4096],
  [4096, 4096],
  [4097, 8192],
  [mebibyte - 1, mebibyte],
  [mebibyte, mebibyte],
  [mebibyte + 1, mebibyte + 1],
  [3 * mebibyte, 3 * mebibyte],
])("a body of %i bytes has memory of %i", (size, memory) => {
  const { length, byteOffset, buffer } = lendBody(size);
  expect([length, byteOffset, buffer.byteLength]).toEqual([size, 0, memory]);
});

test.each([4096, 65_536, mebibyte])("a mebibyte is kept of memory of %i bytes, and lent again", (size) => {
  const most = mebibyte / size;
  // None of these is kept any more.
  const lent = Array.from({ length: most + 1 }, () => lendBody(size));
  for (const body of lent) giveBackBody(body);
  const known = new Set(lent.map(({ buffer }) => buffer));
  const again = Array.from({ length: most + 1 }, () => lendBody(size - 1));
  expect(new Set(again.map(({ buffer }) => buffer)).size).toBe(most + 1);
  expect(again.filter(({ buffer }) => known.has(buffer))).toHaveLength(most);
  expect(new Set(again.map(({ length }) => length))).toEqual(new Set([size - 1]));
});

test("what is larger is not kept", () => {
  const large = lendBody(mebibyte + 1);
  giveBackBody(large);
  expect(lendBody(mebibyte + 1).buffer).not.toBe(large.buffer);
});
