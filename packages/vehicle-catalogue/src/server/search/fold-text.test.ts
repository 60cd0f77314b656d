import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blankFree, foldText, wordsOf } from "./fold-text.js";

const ascii = fc.string({ unit: fc.constantFrom(..."aZ09+., -_'/\t"), maxLength: 24 });

describe("texts of ASCII, which are taken apart in a way of their own", () => {
  test("have the words and the form that they have beside others", () => {
    fc.assert(
      fc.property(ascii, (text) => {
        expect(wordsOf(`${text} 車`)).toEqual([...wordsOf(text), "車"]);
        expect(blankFree(`${text} 車`)).toBe(`${blankFree(text)}車`);
      }),
      { seed: 17, numRuns: 3000 },
    );
  });

  for (const { text, words, form } of [
    { text: "ID.3 SR+", words: ["id.3", "sr+"], form: "id3sr+" },
    { text: "+7,2 kWh++", words: ["7.2", "kwh+"], form: "72kwh+" },
    { text: "a+b c_d", words: ["a", "b", "c", "d"], form: "abcd" },
    { text: "7,x a,2 3, 4", words: ["7", "x", "a", "2", "3", "4"], form: "7xa234" },
    { text: "V1.2.3", words: ["v1.2.3"], form: "v123" },
    { text: " .,+ ", words: [], form: "" },
  ]) {
    test(`${JSON.stringify(text)} is ${JSON.stringify(words)}`, () => {
      expect([wordsOf(text), blankFree(text)]).toEqual([words, form]);
    });
  }
});

test.each([
  ["ＩＤ.3 ﬁord Łódź", "id.3 fiord łodz"],
  ["℡ ㎾h ㎒", "tel kwh mhz"],
  ["1,2,3 and 4,5", "1.2.3 and 4.5"],
  ["É 1,2,3, x,2", "e 1.2.3, x,2"],
  ["İ ẞ", "i ß"],
])("%s is folded to %s", (text, folded) => {
  expect(foldText(text)).toBe(folded);
});
