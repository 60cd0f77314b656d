import { describe, expect, test } from "vitest";
import type { Schema } from "../schema.js";
import { checkValue, hasRepeats, show } from "./check-value.js";

test.each<[value: unknown, shown: string]>([
  [undefined, "nothing"],
  [null, "null"],
  [[1], "a list"],
  [{}, "an object"],
  [() => 1, "a function"],
  [5n, "a BigInt"],
  [-0.5, "-0.5"],
  [true, "true"],
  ['a "b"', '"a \\"b\\""'],
  ["x".repeat(40), `"${"x".repeat(40)}"`],
  ["x".repeat(41), `"${"x".repeat(37)}..."`],
])("a value is shown short, and never what is inside: %s", (value, shown) => {
  expect(show(value)).toBe(shown);
});

test.each<[list: readonly unknown[], repeats: boolean]>([
  [[], false],
  [[1], false],
  [[1, "1"], false],
  [[1, 1], true],
  [[null, null], true],
  [
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    true,
  ],
  [[{ a: [1, 2] }, { a: [2, 1] }], false],
  [[[1], [1]], true],
  [["[1]", [1]], false],
  [[{ a: 1n }, { a: 1n }], true],
  [[{ a: 1n }, { a: 1 }], false],
  [[1, { a: 1 }, 1], true],
])("%o repeats an item: %s", (list, repeats) => expect(hasRepeats(list)).toBe(repeats));

describe("what is wrong with a value is told at its place", () => {
  const small: Schema = { type: "integer", minimum: 1, maximum: 3 };
  test.each<[schema: Schema, value: unknown, told: readonly (readonly [path: string, message: string])[]]>([
    [small, 1, []],
    [small, 3, []],
    [small, 0, [["v", "must be at least 1; got 0"]]],
    [small, 4, [["v", "must be at most 3; got 4"]]],
    [small, 1.5, [["v", "must be an integer; got 1.5"]]],
    [small, undefined, [["v", "is missing"]]],
    [{ type: ["string", "null"] }, 5, [["v", "must be a text or null; got 5"]]],
    [{ type: ["array", "boolean"] }, 5, [["v", "must be a list or true or false; got 5"]]],
    [{ type: ["object", "number"] }, "", [["v", 'must be an object or a number; got ""']]],
    [{ enum: ["a", null] }, "b", [["v", 'must be one of a; got "b"']]],
    [{ enum: ["a", null] }, null, []],
    [
      { enum: [1], maximum: 3 },
      9,
      [
        ["v", "must be one of 1; got 9"],
        ["v", "must be at most 3; got 9"],
      ],
    ],
    [{ minLength: 2 }, "", [["v", "must have at least 2 characters; got 0"]]],
    [{ minLength: 1 }, "", [["v", "must not be empty"]]],
    [{ minLength: 2 }, "a", [["v", "must have at least 2 characters; got 1"]]],
    [{ minLength: 2, maxLength: 2 }, "ab", []],
    [{ maxLength: 2 }, "abc", [["v", "must have at most 2 characters; got 3"]]],
    [{ maxItems: 2 }, [1, 2], []],
    [{ maxItems: 2, items: small }, [9, 9, 9], [["v", "must have at most 2 items; got 3"]]],
    [
      { uniqueItems: true, items: small },
      [9, 9],
      [
        ["v", "must not repeat an item"],
        ["v[0]", "must be at most 3; got 9"],
        ["v[1]", "must be at most 3; got 9"],
      ],
    ],
    [{ items: small }, Array(1), [["v[0]", "is missing"]]],
    [{ maxProperties: 1 }, { a: 1 }, []],
    [
      { maxProperties: 1, required: ["c"], properties: { a: small } },
      { a: 9, b: 2 },
      [["v", "must have at most 1 members; got 2"]],
    ],
    [
      { required: ["a"], properties: { b: small } },
      { b: 0 },
      [
        ["v.a", "is missing"],
        ["v.b", "must be at least 1; got 0"],
      ],
    ],
    [{ required: ["toString"] }, {}, [["v.toString", "is missing"]]],
    [{ additionalProperties: false, properties: {} }, { toString: 1 }, [["v.toString", "is not declared"]]],
    [
      { propertyNames: { pattern: "^a$" } },
      { a: 1, b: 2 },
      [["v", 'must not have the key "b": keys are like ^a$']],
    ],
    [
      { propertyNames: { pattern: "^a$", description: "letters" } },
      { b: 2 },
      [["v", 'must not have the key "b": keys are letters']],
    ],
    [
      { additionalProperties: false },
      { ["x".repeat(101)]: 1 },
      [[`v.${"x".repeat(100)}`, "is not declared"]],
    ],
    [
      { additionalProperties: small, properties: { a: {} } },
      { a: 9, b: 9 },
      [['v["b"]', "must be at most 3; got 9"]],
    ],
  ])("%j of %j", (schema, value, told) => {
    const found: (readonly [string, string])[] = [];
    checkValue(schema, value, "v", (path, message) => found.push([path, message]));
    expect(found).toEqual(told);
  });
});
