import { describe, expect, test } from "vitest";
import { examplePipeline, validatePipeline } from "../src/index.js";
import { ScalarOffsets } from "../src/scalar-offsets.js";

// The name in a placeholder is marked where it stands, however the text around it is written.

const name = "{{$.inputs.parameters['lable']}}";
const last = `command: [echo, "{{$.inputs.parameters['message']}}"]`;

/** What is marked of an argument that is written so. */
function marked(scalar: string, lineEnd = "\n"): readonly (string | undefined)[] {
  expect(examplePipeline).toContain(last);
  const command = `command:\n        - echo\n        - ${scalar}`;
  const text = examplePipeline.replace(last, () => command).replaceAll("\n", lineEnd);
  return validatePipeline(text)
    .problems.filter(({ code }) => code === "placeholder-unknown")
    .map(({ range }) => range && text.slice(range.start.offset, range.end.offset));
}

const deep = "\n          ";
const doubled = "{{$.inputs.parameters[''lable'']}}";
const styles: readonly (readonly [name: string, scalar: string, marked?: string])[] = [
  ["without quotes", `a ${name} b`],
  ["without quotes, in two lines", `a${deep}${name}${deep}b`],
  ["without quotes, with a line between", `a${deep.slice(0, 1)}${deep}${name}`],
  ["in single quotes", `'a ${doubled} b'`],
  ["in single quotes, behind one", `'it''s ${doubled}'`],
  ["in single quotes, in two lines", `'a${deep}b ${doubled}${deep}c'`],
  ["in double quotes", `"${name}"`],
  ["in double quotes, in two lines", `"a${deep}b ${name}${deep}c"`],
  ["in double quotes, with a line that goes on", `"a\\${deep}b ${name}"`],
  ["in double quotes, with blanks before a line that goes on", `"a  \\${deep}  ${name}"`],
  ["in double quotes, with an empty line", `"a\n${deep}${name}"`],
  ["as it stands", `|${deep}a${deep}  b ${name}${deep}c`],
  ["as it stands, without an end", `|-${deep}a${deep}${name}`],
  ["as it stands, with empty lines", `|+${deep}a\n\n${deep}${name}\n\n`],
  ["folded", `>${deep}a${deep}b ${name}${deep}c`],
  ["folded, with an empty line", `>-${deep}a\n${deep}b ${name}`],
  ["folded, with a line farther in", `>-${deep}a${deep}  b${deep}c ${name}`],
  ["with quotes by number", `"{{$.inputs.parameters[\x27lable\u0027]}}"`],
  ["with letters by number", `"{{$.inputs.parameters['l\x61bl\u0065']}}"`, "l\x61bl\u0065"],
];
describe("a text", () => {
  for (const [name, scalar, wanted = "lable"] of styles) {
    test(name, () => expect(marked(scalar)).toEqual([wanted]));

    test(`${name}, in lines of Windows`, () => expect(marked(scalar, "\r\n")).toEqual([wanted]));
  }
});

const escapes = ["0", "a", "b", "t", "n", "v", "f", "r", "e", " ", '"', "/", "\\", "N", "_", "L", "P"];
const numbered = ["x41", "x7e", "u0041", "u20ac", "U00000041", "U0001f600", "U0010ffff"];
describe("behind an escape", () => {
  test.each([...escapes, ...numbered])("\\%s", (code) => {
    expect(marked(`"a\\${code}${name}\\${code}b"`)).toEqual(["lable"]);
    expect(marked(`"\\${code}\\${code} \\t${name}"`)).toEqual(["lable"]);
  });
});

test("behind characters of two units, and of two in the file", () => {
  expect(marked(`"\u{1f600}\u{1f600} ${name}"`)).toEqual(["lable"]);
  expect(marked(`\u{1f600} ä ${name}`)).toEqual(["lable"]);
});

test("an alias is marked whole, since the text stands elsewhere", () => {
  const command = `command:\n        - &said "a ${name}"\n        - *said`;
  const text = examplePipeline.replace(last, () => command);
  const found = validatePipeline(text).problems.filter(({ code }) => code === "placeholder-unknown");
  expect(found.map(({ range }) => range && text.slice(range.start.offset, range.end.offset))).toEqual([
    "lable",
    "*said",
  ]);
});

test("a place without length is between two characters, also before the first and behind the last", () => {
  const offsets = new ScalarOffsets('"a\\tb"', "a\tb");
  const places = [0, 1, 2, 3].map((at) => offsets.spanOf({ start: at, end: at }));
  expect(places).toEqual([1, 2, 4, 5].map((at) => ({ start: at, end: at })));
  expect(offsets.spanOf({ start: 0, end: 3 })).toEqual({ start: 1, end: 5 });
  expect(offsets.spanOf({ start: 0, end: 5 })).toBeUndefined();
});

test("the blank that a folded line break stands for is marked at the break", () => {
  const offsets = new ScalarOffsets(">\n  a\n  b", "a b");
  expect(offsets.spanOf({ start: 1, end: 2 })).toEqual({ start: 5, end: 6 });
  expect(offsets.spanOf({ start: 1, end: 3 })).toEqual({ start: 5, end: 9 });
});
