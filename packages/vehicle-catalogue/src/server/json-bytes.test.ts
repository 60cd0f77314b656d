import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atOnce } from "../records/sliced.js";
import { JsonBytes } from "./json-bytes.js";

const encoder = new TextEncoder();

/** The records, taken out one by one; undefined when the text is not a list that can be read so. */
function recordsOf(text: string): readonly unknown[] | undefined {
  const records = atOnce(new JsonBytes(encoder.encode(text)).records());
  return records && [...records];
}

/** What JSON.parse makes of the whole. */
function expected(text: string): unknown {
  const whole = JSON.parse(text);
  return Array.isArray(whole) ? whole : whole.vehicles;
}

describe("records taken out of JSON one by one are those of the whole", () => {
  test.each([
    "[]",
    " [ ] ",
    "[1]",
    '[1, 2 ,"a,]b"]',
    '[{"a":[1,{"b":"\\"]}"}]},{"c":"\\\\"}]',
    '{"vehicles":[]}',
    ' { "vehicles" : [ {"id":"ä🚗"} , null ] } \n',
    '[{"__proto__":1}]',
    `[${'"\\\\\\"",'.repeat(20)}0]`,
  ])("%s", (text) => {
    expect(recordsOf(text)).toEqual(expected(text));
  });

  test("whatever is in them", () => {
    const shape = fc.constantFrom<[string, string]>(
      ["[", "]"],
      ['{"vehicles":[', "]}"],
      [' {\n"vehicles" : [', "]\t}\n"],
    );
    fc.assert(
      fc.property(fc.array(fc.json()), shape, (records, [start, end]) => {
        const text = `${start}${records.join(" ,")}${end}`;
        expect(recordsOf(text)).toEqual(expected(text));
      }),
      { seed: 17, numRuns: 500 },
    );
  });
});

describe("what is no such list", () => {
  test.each([
    "",
    "1",
    '"[1]"',
    "{}",
    '{"vehicles":1}',
    '{"vehicles":[1],"a":2}',
    '{"a":1,"vehicles":[1]}',
    "[1",
    '["a',
  ])("is not taken apart: %s", (text) => expect(recordsOf(text)).toBeUndefined());

  test.each([
    "[1,]",
    "[,1]",
    "[1,,2]",
    "[1 2]",
    "[{]}]",
    "[a]",
    '["\\x"]',
    "[\ufeff1]",
    "[1]]",
    '{"vehicles":[1]]',
  ])("is refused as JSON.parse refuses it: %s", (text) => {
    const read = (): unknown => recordsOf(text) ?? new JsonBytes(encoder.encode(text)).whole();
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(read).toThrow(SyntaxError);
  });

  test("and any text at all is refused or read as JSON.parse does it", () => {
    const piece = fc.constantFrom(
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      '"',
      "\\",
      " ",
      "1",
      "a",
      '"vehicles"',
      "null",
      '{"a":1}',
    );
    const text = fc.array(piece, { maxLength: 10 }).map((pieces) => `[${pieces.join("")}`);
    const outcome = (read: () => unknown): unknown => {
      try {
        return { read: read() };
      } catch (error) {
        return error instanceof SyntaxError ? "refused" : error;
      }
    };
    fc.assert(
      fc.property(text, (one) => {
        const whole = (): unknown => new JsonBytes(encoder.encode(one)).whole();
        expect(outcome(() => recordsOf(one) ?? whole())).toEqual(outcome(() => JSON.parse(one)));
      }),
      { seed: 17, numRuns: 3000 },
    );
  });
});
