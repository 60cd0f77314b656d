import { expect, test } from "vitest";
import { parseJsonDocument } from "./json-document.js";

test.each([
  ["a blank", " "],
  ["a tab", "\t"],
  ["a line feed", "\n"],
  ["a carriage return", "\r"],
  ["several of them", "\r\n\t "],
  ["nothing", ""],
])("values are found with %s around each sign", (_, space) => {
  const signs = [
    "{",
    '"a"',
    ":",
    "[",
    "null",
    ",",
    '"b:c"',
    ",",
    "-1.5e3",
    "]",
    ",",
    '"d"',
    ":",
    "{",
    "}",
    "}",
  ];
  const text = space + signs.join(space) + space;
  const document = parseJsonDocument(text) ?? expect.fail();
  const at = (part: "key" | "value", ...path: string[]) =>
    text.slice(...document.places().spanOf(path, part));
  expect(document.value).toEqual({ a: [null, "b:c", -1500], d: {} });
  expect(at("value")).toBe(text.slice(space.length, text.length - space.length));
  expect(["0", "1", "2"].map((item) => at("value", "a", item))).toEqual(["null", '"b:c"', "-1.5e3"]);
  expect([at("key", "a"), at("key", "d")]).toEqual(['"a"', '"d"']);
  expect(at("value", "a")).toBe(signs.slice(3, 10).join(space));
  expect(at("value", "d")).toBe(`{${space}}`);
});

test.each([
  '{"a": null, "b": [null, {"c": null}], "d": {"e": [], "f": 1}}',
  '[null, {"a": "b"}, [[{"a": {"a": 1}}]]]',
  '{"a": "\\"b\\": c", "\\"": "d", "": 0}',
  '{"__proto__": 1, "a": {"__proto__": 2}}',
])("each key is counted once: %s", (text) => {
  expect(parseJsonDocument(text)?.value).toEqual(JSON.parse(text));
});

test.each(['{"a": 1, "a": 1}', '[{"b": {"a": 1, "\\u0061": 2}}]', '{"a" : null, "a"\t: null}'])(
  "a key that is there twice is left to the other reader: %s",
  (text) => {
    expect(parseJsonDocument(text)).toBeUndefined();
  },
);

test.each(["", "null", "5", '"{}"', "{", "{a: 1}", "\u00a0{}", "\ufeff{}", "// {}\n{}"])(
  "what is no map and no list of JSON is left to the other reader: %j",
  (text) => {
    expect(parseJsonDocument(text)).toBeUndefined();
  },
);

test("places are looked for once", () => {
  const document = parseJsonDocument('{"a": [1]}') ?? expect.fail();
  expect(document.places()).toBe(document.places());
});
