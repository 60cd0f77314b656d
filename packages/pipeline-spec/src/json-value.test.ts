import { expect, test } from "vitest";
import { describeValue, isObject, jsonEquals } from "./json-value.js";

const equal: readonly (readonly [unknown, unknown])[] = [
  [1, 1.0],
  [null, null],
  [
    { a: 1, b: [2] },
    { b: [2], a: 1 },
  ],
  [JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}')],
];
for (const [a, b] of equal) {
  test(`${JSON.stringify(a)} equals ${JSON.stringify(b)}`, () => {
    expect(jsonEquals(a, b)).toBe(true);
    expect(jsonEquals(b, a)).toBe(true);
  });
}

const different: readonly (readonly [unknown, unknown])[] = [
  [1, "1"],
  [null, {}],
  [[], {}],
  [[1], [1, 2]],
  [
    [1, 2],
    [1, 3],
  ],
  [{ a: 1 }, { a: 2 }],
  [{ a: { b: [1] } }, { a: { b: [2] } }],
  [{ a: 1 }, { a: 1, b: 1 }],
  [{ a: undefined }, { b: undefined }],
  [JSON.parse('{"__proto__": {}}'), {}],
  [{ toString: 1 }, { valueOf: 1 }],
];
for (const [a, b] of different) {
  test(`${JSON.stringify(a)} is not ${JSON.stringify(b)}`, () => {
    expect(jsonEquals(a, b)).toBe(false);
    expect(jsonEquals(b, a)).toBe(false);
  });
}

test("only maps are objects", () => {
  expect([{}, Object.create(null)].map(isObject)).toEqual([true, true]);
  expect([null, [], "", 0, undefined].map(isObject)).toEqual([false, false, false, false, false]);
});

test("values are named for people, and long texts are cut", () => {
  expect([null, [1], { a: 1 }, "x", 3, 4n, true, undefined].map(describeValue)).toEqual([
    "null",
    "a list",
    "an object",
    'the text "x"',
    "the number 3",
    "the number 4",
    "true",
    "a value of type undefined",
  ]);
  expect(describeValue("x".repeat(40))).toBe(`the text "${"x".repeat(40)}"`);
  expect(describeValue("x".repeat(41))).toBe(`the text "${"x".repeat(40)}…"`);
});
