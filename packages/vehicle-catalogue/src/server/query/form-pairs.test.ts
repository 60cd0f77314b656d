import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formPairs } from "./form-pairs.js";

/** What the platform makes of the same query string. */
const expected = (search: string): readonly (readonly [string, string])[] => [
  ...new URLSearchParams(`?${search}`),
];

describe("the pairs of a query string", () => {
  test.each([
    "",
    "&",
    "=",
    "a",
    "a=",
    "=a",
    "a=b=c",
    "a=1&&b=2&",
    "?a=1",
    "??a=1",
    "a b=c",
    "a%20b=c",
    "a+b=c+d",
    "%",
    "%zz=1",
    "q=é",
    "q=%C3%A9",
    "q=\ud800",
    "#a=1",
    "a\u0000=\u007f",
  ])("%j are those of URLSearchParams", (search) => {
    expect(formPairs(search)).toEqual(expected(search));
  });

  test("so are those of any text", () => {
    const piece = fc.oneof(
      fc.constantFrom("&", "=", "%", "+", "?", "%41", "a"),
      fc.string({ unit: "binary" }),
    );
    const search = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(search, (text) => {
        expect(formPairs(text)).toEqual(expected(text));
      }),
      { seed: 17, numRuns: 2000 },
    );
  });
});
