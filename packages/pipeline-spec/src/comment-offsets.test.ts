import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { commentOffsets } from "./comment-offsets.js";

const found = (text: string) => commentOffsets(text).map((at) => text.slice(at).split("\n")[0]);

const cases: Readonly<Record<string, readonly [text: string, comments: readonly string[]]>> = {
  "behind values and on lines of their own": ["# a\nx: 1 # b\ny: [2, # c\n3]\n", ["# a", "# b", "# c"]],
  "not inside of quotes": ["x: 'a\n  # no\n  b' # yes\ny: \"# no\"\n", ["# yes"]],
  "not inside of block scalars, but behind their heads": [
    "x: | # yes\n  # no\n  b\n# yes too\n",
    ["# yes", "# yes too"],
  ],
  "not inside of plain texts": ["x: a#no\n", []],
  "behind the mark of a document": ["x: 1\n--- # yes\n# yes\ny: 1\n...\n", ["# yes", "# yes"]],
  "behind a byte order mark": ["\ufeff# yes\nx: 1\n", ["# yes"]],
  "of a text with line ends of Windows": ["# a\r\nx: 1 # b\r\n", ["# a\r", "# b\r"]],
  "in a broken text": ["x: [1\ny: 'a # no\n", []],
};
for (const [name, [text, comments]] of Object.entries(cases)) {
  test(`comments are found ${name}`, () => expect(found(text)).toEqual(comments));
}

test("every place is that of a number sign, and without the comments the text says the same", () => {
  const line = fc.constantFrom(
    "a: 1",
    "b: 'x # y'",
    "c: |\n  # t\n  u",
    "# c",
    "d: [1, 2] # e",
    'e: "f\n  # g"',
  );
  fc.assert(
    fc.property(fc.uniqueArray(line, { maxLength: 6 }), (lines) => {
      const text = `${lines.join("\n")}\n`;
      let rest = text;
      for (const at of [...commentOffsets(text)].reverse()) {
        expect(text[at]).toBe("#");
        const end = text.indexOf("\n", at);
        rest = rest.slice(0, at) + rest.slice(end);
      }
      expect(parseDocument(rest).toJS()).toEqual(parseDocument(text).toJS());
    }),
    { seed: 7, numRuns: 300 },
  );
});
