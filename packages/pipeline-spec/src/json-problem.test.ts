import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { jsonProblem } from "./json-problem.js";

/** So many lists around a value. */
const nested = (levels: number, value: unknown = 1): unknown => {
  let result = value;
  for (let level = 0; level < levels; level++) result = level % 2 === 0 ? [result] : { a: result };
  return result;
};

describe("survives JSON:", () => {
  const rows: Readonly<Record<string, unknown>> = {
    null: null,
    "a text": "",
    true: true,
    false: false,
    zero: 0,
    "a number with a fraction": -1.5,
    "an empty object": {},
    "an empty list": [],
    "an object without a prototype": Object.assign(Object.create(null), { a: 1 }),
    "members that are undefined": { a: undefined, b: [{ c: undefined }] },
    "a list of another realm": runInNewContext("[1]"),
    "everything together": { a: [1, "b", null, { c: [true, [false]] }] },
    "a thousand levels": nested(1000),
  };
  test.each(Object.entries(rows))("%s", (_name, value) => {
    expect(jsonProblem(value)).toBeUndefined();
  });
});

class Model {}
class Nameless {}
Object.defineProperty(Nameless, "name", { value: "" });

const kinds: readonly (readonly [value: unknown, problem: string])[] = [
  [undefined, "it holds a value of type undefined"],
  [Number.NaN, "it holds the number NaN"],
  [Number.POSITIVE_INFINITY, "it holds the number Infinity"],
  [Number.NEGATIVE_INFINITY, "it holds the number -Infinity"],
  [5n, "it holds the bigint 5n; an integer beyond 2^53 - 1 is a text"],
  [() => 1, "it holds a value of type function"],
  [Symbol("a"), "it holds a value of type symbol"],
  [new Map(), "it holds a Map, which is no plain object"],
  [new Date(0), "it holds a Date, which is no plain object"],
  [new Model(), "it holds a Model, which is no plain object"],
  [new Nameless(), "it holds a class instance, which is no plain object"],
  [Object.create(Object.create(null)), "it holds a class instance, which is no plain object"],
];

describe("does not survive JSON, wherever it is:", () => {
  test.each(kinds)("%o", (value, problem) => {
    const inside = value === undefined ? [value] : value;
    expect(jsonProblem(value)).toBe(problem);
    expect(jsonProblem([0, value, null])).toBe(problem);
    expect(jsonProblem({ a: "b", c: inside })).toBe(problem);
    expect(jsonProblem({ a: { b: [{ c: inside }] }, d: 1 })).toBe(problem);
  });
  test("what is nested any further than a thousand levels", () => {
    expect(jsonProblem(nested(1001))).toBe("it is nested more than 1000 levels deep");
    const circle: unknown[] = [];
    circle.push(circle);
    expect(jsonProblem(circle)).toBe("it is nested more than 1000 levels deep");
  });
});
