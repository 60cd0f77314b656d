import { expect, test } from "vitest";
import { findNoJson } from "./no-json.js";

test.each<[value: unknown, found: ReturnType<typeof findNoJson>]>([
  [{ a: [1, "b", null, true, { c: undefined }] }, undefined],
  [Number.NaN, { path: "", what: "NaN" }],
  [{ a: [0, { b: -Infinity }] }, { path: ".a[1].b", what: "-Infinity" }],
  [[1n, Number.NaN], { path: "[0]", what: "a BigInt" }],
  [{ a: () => {} }, { path: ".a", what: "a function" }],
  [{ a: Symbol("b") }, { path: ".a", what: "a symbol" }],
])("the first thing that JSON cannot say is found with its place: case %#", (value, found) => {
  expect(findNoJson(value)).toEqual(found);
});

test("of a name that is long, a hundred letters are told", () => {
  const nameOf = (length: number) => findNoJson({ ["n".repeat(length)]: 1n })?.path;
  expect(nameOf(100)).toBe(`.${"n".repeat(100)}`);
  expect(nameOf(101)).toBe(`.${"n".repeat(100)}`);
});
