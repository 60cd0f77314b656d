import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonFaultAt } from "./json-fault-at.js";

test.each([
  ['{"a": true, // x\n"b": 1}', 12, /no comments/],
  ['{ // x\n"a": 1}', 2, /no comments/],
  ['{"a": true /* c */}', 11, /no comments/],
  ["{# c\n}", 1, /no comments/],
  ['{"a": tru}', 6, /^a value/],
  ['{"a": undefined}', 6, /^a value/],
  ["{'a': 1}", 1, /name in double quotes or \}/],
  ["{a: 1}", 1, /name in double quotes or \}/],
  ['{"a": 0123}', 6, /^a value/],
  ['{"a": 1_000}', 6, /^a value/],
  ['{"a": NaN}', 6, /^a value/],
  ['{"a": .5}', 6, /^a value/],
  ['{"a": 1 "b": 2}', 8, /comma/],
  ['{"a" 1}', 5, /colon/],
  ['{"a": 1,}', 8, /comma before it/],
  ['{"a": [1,]}', 9, /comma before it/],
  ['{"a": [}', 7, /value or \]/],
  ['{"a": [1}', 8, /comma, or the end/],
  ['{"a": "x\ny"}', 8, /on the line on which/],
  ['{"a": "\\x"}', 7, /no such escape/],
  ['{"a": "\\u12"}', 7, /no such escape/],
  ['{"a": "x', 6, /no end/],
  ['{"a": 1', 7, /ends here/],
  ["{", 1, /ends here/],
  ['{"a": 1}}', 8, /nothing may follow/],
  ["{} x", 3, /nothing may follow/],
  ['{"a":\t1,\r\n"b" 2}', 14, /colon/],
])("%j is broken at %i", (text, at, message) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonFaultAt(text)).toEqual({ at, message: expect.stringMatching(message) });
});

test.each([
  ..."0 -0 7 120 -12 0.5 -1.25 10.000 1e5 1e10 1E+123 2.5e-10 -0.0e-00 true false null".split(" "),
  '"a\\u00e4\\u00AF \\" \\\\ \\/ \\b\\f\\n\\r\\t"',
])("%s is no fault", (value) => {
  const text = `{"a": ${value}, "b": [${value}, ${value}]}`;
  expect(() => JSON.parse(text)).not.toThrow();
  expect(jsonFaultAt(`${text} x`)).toMatchObject({ at: text.length + 1 });
});

test.each(
  "00 01 -01 - -a +1 1. .1 1.e5 1e 1e+ 1e5.5 1.2.3 1ee5 0x10 1_0 truee nul True NaN -Infinity".split(" "),
)("%s is a fault where it begins", (value) => {
  const text = `{"a": [1, ${value}]}`;
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonFaultAt(text)).toEqual({ at: 10, message: expect.stringMatching(/^a value/) });
});

test("whatever is changed in JSON, the fault is where no text that begins in this way can be mended", () => {
  const changed = fc.tuple(
    fc.jsonValue(),
    fc.nat(),
    fc.constantFrom("", ",", '"', "}", "]", "x", "1", "\\", ":"),
  );
  fc.assert(
    fc.property(changed, ([value, place, put]) => {
      const good = JSON.stringify({ a: value }, null, 1);
      const cut = place % good.length;
      const text = good.slice(0, cut) + put + good.slice(cut + 1);
      fc.pre(!isJson(text));
      const { at } = jsonFaultAt(text);
      // What stands before it is as it was, or begins a word that goes on.
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThanOrEqual(text.length);
      expect(isJson(text.slice(0, at))).toBe(at > 0 && /nothing may follow/.test(jsonFaultAt(text).message));
    }),
    { seed: 390, numRuns: 2000 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
