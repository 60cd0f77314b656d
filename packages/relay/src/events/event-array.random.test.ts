import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atOnce } from "../steps.js";
import { maxEventDepth, scanEvents as scanInSteps } from "./event-array.js";

/** How many times more random texts there are than at every change. */
const times = process.env.WYE_ALL_ROUNDS ? 5 : 1;

const scanEvents = (bytes: Uint8Array, most: number) => atOnce(scanInSteps(bytes, most));
const scan = (text: string) => scanEvents(Buffer.from(text), Number.POSITIVE_INFINITY);
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

test("counts what JSON.parse counts and finds where the first ones end, whatever the events are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 8 }),
      fc.nat(10),
      fc.constantFrom(undefined, 1, "\t"),
      (values, most, blanks) => {
        const text = Buffer.from(` ${JSON.stringify(values, null, blanks)}\n`);
        const found = scanEvents(text, most);
        expect(found).toMatchObject({ kind: "events", count: values.length });
        const { start, ends } = found as Extract<typeof found, { kind: "events" }>;
        const texts = ends.map((end, n) => text.toString("utf8", n === 0 ? start : ends[n - 1]! + 1, end));
        expect(texts.map((one) => JSON.parse(one))).toEqual(
          JSON.parse(JSON.stringify(values.slice(0, most))),
        );
      },
    ),
    { seed: 12, numRuns: 400 * times },
  );
});

describe("depth", () => {
  const cases = [
    { name: "arrays at the limit", text: nested(maxEventDepth), kind: "events" },
    { name: "arrays beyond it", text: nested(maxEventDepth + 1), kind: "too-deep" },
    {
      name: "objects beyond it",
      text: `[${'{"a":'.repeat(maxEventDepth)}1${"}".repeat(maxEventDepth)}]`,
      kind: "too-deep",
    },
    { name: "brackets in a string", text: JSON.stringify([nested(20_000)]), kind: "events" },
    { name: "brackets after an escaped quote", text: JSON.stringify([`"${nested(20_000)}`]), kind: "events" },
    { name: "side by side", text: `[${Array(20_000).fill("[]").join()}]`, kind: "events" },
    { name: "never closed", text: "[".repeat(20_000), kind: "too-deep" },
  ];
  for (const { name, text, kind } of cases) test(name, () => expect(scan(text).kind).toBe(kind));
});

for (const text of ["", " ", "null", "{}", "1", "]", '"[]"']) {
  test(`${JSON.stringify(text)} is no array`, () => expect(scan(text).kind).toBe("not-an-array"));
}

/** Whether JSON.parse finds an array. */
function parses(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

test("what is valid is what JSON.parse takes, whatever is put into it, taken out or changed", {
  timeout: 300_000,
}, () => {
  const valid = fc
    .array(fc.jsonValue({ noUnicodeString: false }), { minLength: 1, maxLength: 4 })
    .map((values) => JSON.stringify(values));
  const pieces = fc.constantFrom(
    ...[
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      '"',
      "\\",
      "\\u",
      "\\u12G4",
      "\\x",
      "-",
      "+",
      ".",
      "e",
      "E5",
      "0",
      "01",
      "1.",
      "-0",
      "1e+",
    ],
    ...[
      "t",
      "true",
      "nul",
      "null",
      "false",
      "NaN",
      " ",
      "\t",
      "\n",
      "\u000b",
      "\u0000",
      "\u00a0",
      "\ufeff",
      "//",
      "'a'",
    ],
  );
  let accepted = 0;
  fc.assert(
    fc.property(valid, fc.nat(), fc.nat(3), pieces, (text, place, removed, piece) => {
      const at = place % (text.length + 1);
      const changed = (text.slice(0, at) + piece + text.slice(at + removed)).toWellFormed();
      const takes = scan(changed).kind === "events";
      if (takes) accepted++;
      expect(takes, changed).toBe(parses(changed));
    }),
    { seed: 5, numRuns: 4000 * times },
  );
  expect(accepted).toBeGreaterThan(400 * times);
});

for (const text of [
  "[-]",
  "[+1]",
  "[01]",
  "[1.]",
  "[.5]",
  "[1e]",
  "[1e+]",
  "[-0]",
  "[1E-7]",
  "[0.0]",
  "[0e0]",
  "[tru]",
  "[nulll]",
  '["\\u00g0"]',
  '["\\"]',
  '["\t"]',
  '[{"a":1,}]',
  "[1,]",
  "[,1]",
  "[{,}]",
  "[1 2]",
  '[{"a" 1}]',
  "[{1:1}]",
  "[1]]",
  "[1],[2]",
  "[1}",
  '[{"a":1]]',
  "[",
  "[1",
  '["',
  '["\\',
  " [ ] ",
  "[{}]",
  "[\t1\r\n,\n2 ]\r\n",
  '[{\r"a"\r:\r1\r,\t"b"\t:\t2\t}\r]',
  "[1\f]",
  "[1e+5,1E5,-2.50e-07,9]",
  "[true,false,null]",
  '["\\"\\\\\\/\\b\\f\\n\\r\\t\\u09aF\\uAf90"]',
  '["\\u00a"]',
  '["\\a"]',
  '["\u007f\u0080"]',
  '["\u001f"]',
]) {
  test(`${JSON.stringify(text)} as JSON.parse sees it`, () =>
    expect(scan(text).kind === "events").toBe(parses(text)));
}
