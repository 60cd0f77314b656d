import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonElements, jsonMembers, jsonTokens } from "./json-members.js";

const textsOf = (text: string, from?: number) =>
  [...jsonMembers(text, from)].map(([name, { start, end }]) => [name, text.slice(start, end)]);

const cases = [
  { text: "{}", members: [] },
  { text: " { } ", members: [] },
  { text: '{"a":1}', members: [["a", "1"]] },
  {
    text: '{"a" : [1, {"b": "}"}] ,\n"c":{"d":[]},"e":"x\\"y\\\\"}',
    members: [
      ["a", '[1, {"b": "}"}]'],
      ["c", '{"d":[]}'],
      ["e", '"x\\"y\\\\"'],
    ],
  },
  {
    text: '{"a":true,"b":null , "c":-1.5e3}',
    members: [
      ["a", "true"],
      ["b", "null"],
      ["c", "-1.5e3"],
    ],
  },
  { text: '{"\\u0061\\"":1}', members: [['a"', "1"]] },
  { text: '{"__proto__":{"x":1}}', members: [["__proto__", '{"x":1}']] },
  { text: '{"a":1,"a":2}', members: [["a", "2"]] },
];
for (const { text, members } of cases) {
  test(`the members of ${text}`, () => expect(textsOf(text)).toEqual(members));
}

test("starts where it is told", () => {
  const text = '{"outer": {"inner":[1]} }';
  expect(textsOf(text, jsonMembers(text).get("outer")?.start)).toEqual([["inner", "[1]"]]);
});

test("a name that is repeated is told with the place where it stands again", () => {
  const told: unknown[] = [];
  jsonMembers('{"a":1, "b" : 2, "a" : {"b":3}}', 0, (...repeated) => told.push(repeated));
  expect(told).toEqual([["a", 17]]);
});

test.each([
  { text: '{"a":"x', members: [["a", '"x']] },
  { text: '{"a":[1,', members: [["a", "[1,"]] },
])("a text that breaks off ends with what there is: $text", ({ text, members }) => {
  expect(textsOf(text)).toEqual(members);
});

test.each(["[1, [2", '[1, "2'])("a list that breaks off ends with what there is: %s", (text) => {
  expect(jsonElements(text, 0).map(({ start, end }) => text.slice(start, end))).toEqual(["1", text.slice(4)]);
});

test("numbers are found however they are written, and strings where they begin", () => {
  expect([...jsonTokens('[1E5, -2.5e-3,"7\\" 8",+9]')]).toEqual([
    ["1E5", 1],
    ["-2.5e-3", 6],
    ['"', 14],
    ["9", 23],
  ]);
});

test("finds the same names and values as JSON.parse, however the text is spaced", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
      fc.constantFrom("", " ", "\n\t", "\r"),
      (object, spacing) => {
        const text = JSON.stringify(object, null, spacing);
        const read = textsOf(text).map(([name, value]) => [name, JSON.parse(value as string)]);
        expect(read).toEqual(Object.entries(JSON.parse(text)));
      },
    ),
    { seed: 7, numRuns: 500 },
  );
});

test("the elements of a list are those that are in it, and the numbers of a text those that are parsed", () => {
  const numbersIn = (value: unknown): number[] =>
    typeof value === "number"
      ? [value]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(numbersIn)
        : [];
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 3 })),
      fc.constantFrom("", " ", "\n\t", "\r"),
      (list, indent) => {
        const text = ` ${JSON.stringify(list, null, indent)} `;
        const read: unknown[] = JSON.parse(text);
        const elements = jsonElements(text, 0).map(({ start, end }) => JSON.parse(text.slice(start, end)));
        expect(elements).toEqual(read);
        const numbers = [...jsonTokens(text)].filter(([written]) => written !== '"');
        for (const [written, at] of numbers) expect(text.startsWith(written, at)).toBe(true);
        // Names that are numbers are moved to the front when they are read.
        const sorted = (all: number[]) => all.toSorted((a, b) => a - b);
        expect(sorted(numbers.map(([written]) => Number(written)))).toEqual(sorted(numbersIn(read)));
      },
    ),
    { seed: 12, numRuns: 300 },
  );
});
