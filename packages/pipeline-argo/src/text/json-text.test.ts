import { describe, expect, test } from "vitest";
import { jsonText, messageText } from "./json-text.js";

describe("a value is written alike, whether its names are in order or not:", () => {
  test.each<[text: string, value: unknown]>([
    ["-0", -0],
    ["0", 0],
    ["[-0]", [-0]],
    ["[1,-0]", [1, -0]],
    ["[-0,1]", [-0, 1]],
    ['{"a":-0}', { a: -0 }],
    ['{"a":-0,"b":0}', { a: -0, b: 0 }],
    ['"-0,0]"', "-0,0]"],
    ['{"1":2,"a":3}', { a: 3, 1: 2 }],
    ['"\\u003c\\u003e\\u0026"', "<>&"],
    ['{"\\u003c":["\\u2028"],"a":null}', { "<": ["\u2028"], a: null, b: undefined }],
  ])("%s", (text, value) => {
    expect(messageText(value)).toBe(text);
    expect(jsonText(value)).toBe(text);
  });
});

test.each<[what: string, around: (value: unknown) => unknown]>([
  ["lists", (value) => [value]],
  ["objects", (value) => ({ a: value })],
])("%s may be nested in each other 1200 times, and no more", (_, around) => {
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = around(value);
    return value;
  };
  expect(jsonText(nested(1200))).toBe(JSON.stringify(nested(1200)));
  expect(() => jsonText(nested(1201))).toThrow("nested deeper than 1200 levels");
});
