import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonSyntax, type PositionedJson, parsePositionedJson } from "./positioned-json.js";

/** What a text says, whatever the places. */
function plainOf(json: PositionedJson): unknown {
  if (json.kind === "list") return json.items.map(plainOf);
  if (json.kind === "object") return json.members.map(({ key, value }) => [key, plainOf(value)]);
  return json.value;
}

/** The same of what the engine reads: members in the order of the text, which a key of digits would change. */
function membersOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(membersOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).map(([key, member]) => [key, membersOf(member)]);
}

const read = (text: string) => {
  const json = parsePositionedJson(text);
  return json instanceof JsonSyntax ? undefined : { value: plainOf(json) };
};

const expected = (text: string) => {
  try {
    return { value: membersOf(JSON.parse(text)) };
  } catch {
    return undefined;
  }
};

test.each([
  "01",
  "-01",
  "-0",
  "0.5",
  "00.5",
  "1.",
  ".5",
  "+1",
  "-",
  "1e5",
  "1E+05",
  "1e",
  "[1,]",
  "[,1]",
  "[1 2]",
  '["a", 01]',
  '{"a":1,}',
  '{"a" 1}',
  "{a:1}",
  '{"a":01}',
  "truefalse",
  "True",
  '"\\x"',
  '"\t"',
  '"\\u00e9\\ud83d"',
  '"a',
  '"a\\"',
  " \r\n\t7 ",
  "\u00a07",
  "7 7",
  "",
  "[[[]],{}]",
])("%j is read as JSON is, or not at all", (text) => {
  expect(read(text)).toEqual(expected(text));
});

test("what is JSON, and what has become of it by a mistake, is read if the engine reads it, and never throws", () => {
  const key = fc.stringMatching(/^[a-z"\\ é]{0,4}$/);
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.string(),
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(key, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  const mistake = fc.record({
    at: fc.nat(200),
    gone: fc.nat(2),
    put: fc.constantFrom(
      "",
      "0",
      "1",
      ",",
      ":",
      "]",
      "}",
      "[",
      "{",
      '"',
      "\\",
      "-",
      ".",
      "e",
      " ",
      "\n",
      "é",
    ),
  });
  fc.assert(
    fc.property(
      tree,
      fc.constantFrom(0, 1),
      fc.array(mistake, { maxLength: 2 }),
      (value, indent, mistakes) => {
        let text = JSON.stringify(value, null, indent);
        for (const { at, gone, put } of mistakes) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + put + text.slice(place + gone);
        }
        // Of two members with one key the engine keeps the last, and all are read here: what they say is compared above.
        expect(read(text) !== undefined, text).toBe(expected(text) !== undefined);
      },
    ),
    { seed: 7, numRuns: 3000 },
  );
});

/** What stands at the places of a value, its keys and its parts. */
function atPlaces(text: string, part: PositionedJson): unknown {
  const at = ({ start, end }: PositionedJson["span"]) => membersOf(JSON.parse(text.slice(start, end)));
  if (part.kind === "list") return [at(part.span), part.items.map((item) => atPlaces(text, item))];
  if (part.kind === "object")
    return [at(part.span), part.members.map(({ keySpan, value }) => [at(keySpan), atPlaces(text, value)])];
  return [at(part.span)];
}

/** The same of a value without places. */
function partsOf(value: unknown): unknown {
  if (Array.isArray(value)) return [membersOf(value), value.map(partsOf)];
  if (typeof value !== "object" || value === null) return [value];
  return [membersOf(value), Object.entries(value).map(([key, member]) => [key, partsOf(member)])];
}

test("the places are those of the text, for every value and key", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = ` ${JSON.stringify(value, null, indent)}`;
      const json = parsePositionedJson(text);
      if (json instanceof JsonSyntax) return expect.unreachable(json.message);
      expect(atPlaces(text, json)).toEqual(partsOf(JSON.parse(text)));
    }),
    { seed: 7, numRuns: 500 },
  );
});

test("what is nested deeper than commands ever are is refused where that begins", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(parsePositionedJson(nested(65))).toMatchObject({ kind: "list" });
  expect(parsePositionedJson(nested(66))).toEqual(new JsonSyntax("it is nested too deep", 65));
});
