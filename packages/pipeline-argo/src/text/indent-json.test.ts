import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indentJson } from "./indent-json.js";

/** Texts of what means something between texts, or at the end of one. */
const text = fc
  .array(fc.constantFrom("\\", '"', "{", "}", "[", "]", ":", ",", " ", "\n", "a", "é", "\u2028"), {
    maxLength: 6,
  })
  .map((characters) => characters.join(""));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3 }),
  ),
}));

test("a text of JSON is indented as JavaScript does it, whatever it holds", () => {
  fc.assert(
    fc.property(value, (one) => {
      expect(indentJson(JSON.stringify(one))).toBe(JSON.stringify(one, undefined, 2));
    }),
    { seed: 16, numRuns: 300 },
  );
});

describe("is indented:", () => {
  test.each([
    ['{"a":"\\\\","b":"\\\\"}', '{\n  "a": "\\\\",\n  "b": "\\\\"\n}'],
    ['{"a":"\\"","b":"\\\\\\""}', '{\n  "a": "\\"",\n  "b": "\\\\\\""\n}'],
    ['{"\\\\":{"{":["\\\\",","]}}', '{\n  "\\\\": {\n    "{": [\n      "\\\\",\n      ","\n    ]\n  }\n}'],
    ['{"a":"{}","b":{},"c":[],"d":"[]"}', '{\n  "a": "{}",\n  "b": {},\n  "c": [],\n  "d": "[]"\n}'],
    ['[[],[[]],{},{"a":{}}]', '[\n  [],\n  [\n    []\n  ],\n  {},\n  {\n    "a": {}\n  }\n]'],
    // What JavaScript would write in another way.
    ['{"b":-0,"10":1e21,"9":"\\u003c\\/"}', '{\n  "b": -0,\n  "10": 1e21,\n  "9": "\\u003c\\/"\n}'],
    ["{}", "{}"],
    ['""', '""'],
    ["-1.5", "-1.5"],
  ])("%s", (json, indented) => expect(indentJson(json)).toBe(indented));
});
