import { expect, test } from "vitest";
import { OpenSigns } from "./open-signs.js";

/** What was seen of lexemes that stand one behind the other. */
function seen(...lexemes: readonly string[]): OpenSigns {
  const signs = new OpenSigns();
  let offset = 0;
  for (const lexeme of lexemes) {
    signs.see(lexeme, offset);
    offset += lexeme.length;
  }
  return signs;
}

test.each<[lexemes: readonly string[], at: number | undefined]>([
  [[], undefined],
  [["{"], 0],
  [["a", "[", "{", "["], 1],
  [["[", "{", "}"], 0],
  [["[", "]", "{", "["], 2],
  [["[", "{", "}", "]"], undefined],
  // Of brackets that close too much nothing stays open.
  [["]", "}", "["], 2],
  [["'{'", '"["'], undefined],
])("of brackets the outermost that is open is told: %j at %s", (lexemes, at) => {
  expect(seen(...lexemes).bracket).toBe(at);
});

test.each<[lexemes: readonly string[], at: number | undefined]>([
  [["a", "'b'", '"c"'], undefined],
  [["a", "'b", "x", '"c'], 1],
  [["'it''s'", '"a\\"b"'], undefined],
  [["'it''", '"x"'], 0],
])("of quotes the first that is open is told: %j at %s", (lexemes, at) => {
  expect(seen(...lexemes).quote).toBe(at);
});

test("a text over several lines is found by where it begins and by where it ends, and no other", () => {
  const signs = seen("ab", "'c\nd'", " ", '"e"', "'f\ng\n'");
  const texts = Array.from({ length: 20 }, (_, at) => [at, signs.textAt(at)]).filter(
    ([, begins]) => begins !== undefined,
  );
  expect(texts).toEqual([
    [2, 2],
    [7, 2],
    [11, 11],
    [17, 11],
  ]);
});
