import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonFault } from "./json-fault.js";
import { textFault } from "./text-fault.js";

const nested = (count: number, inner = "") => `${"[".repeat(count)}${inner}${"]".repeat(count)}`;
const objects = (count: number) => `${'{"a":'.repeat(count)}1${"}".repeat(count)}`;

const texts = [
  ...[500, 501, 502, 503].flatMap((count) => [
    nested(count),
    nested(count, "null"),
    nested(count, "1"),
    objects(count),
  ]),
  "[1e308, 1e309]",
  "[-1E+309]",
  `[${"9".repeat(308)}]`,
  `[1${"0".repeat(309)}]`,
  `[0.${"9".repeat(400)}]`,
  "[1e-400, 0e999]",
  '["1e999", "[[[["]',
  '{"1e999":"\\\\\\"[1e999","\\\\":[]}',
  `{"a":"${"[".repeat(1000)}"}`,
  '"\\\\"',
  ...[1, 2, 3, 4].flatMap((count) => [
    JSON.stringify({ a: "\\".repeat(count), b: "1e999" }),
    JSON.stringify({ ["\\".repeat(count)]: `${"\\".repeat(count)}"[1e999`, b: [1] }),
    `{"a":"${"\\\\".repeat(count)}","b":1e999}`,
  ]),
  "true",
  "[]",
];
for (const text of texts)
  test(`the text says what the value says: ${text.slice(0, 20)} (${text.length})`, () => {
    expect(textFault(text)).toBe(jsonFault(JSON.parse(text)));
  });

test("the text of any value says what the value says", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2, "\t"), (value, indent) => {
      expect(textFault(JSON.stringify(value, null, indent))).toBeUndefined();
    }),
    { seed: 12, numRuns: 300 },
  );
});

const withMembers = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ "a:": ":" })));

test("there may be fifty thousand members, wherever they are", () => {
  expect(textFault(withMembers(50_000))).toBeUndefined();
  expect(textFault(withMembers(50_001))).toBe("it has 50001 members; there may be 50000");
});

test("what is no JSON is no matter", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', "\\", "{", "]", "1", "e", ":", "x") }), (text) => {
      textFault(text);
    }),
    { seed: 12, numRuns: 500 },
  );
  expect(textFault('"'.repeat(99_999))).toBeUndefined();
});
