import { expect, test } from "vitest";
import { memberTexts } from "./member-texts.js";

const textsOf = (json: string, ...names: string[]) => {
  const text = memberTexts(json);
  return names.map(text);
};

test("values are given as they are written", () => {
  const json =
    ' { "a" : 9007199254740993 , "b":[1.0,{"2":1e2,"1":"]}\\"{"}],"c\\u0043":"\\u00fc\\\\" ,"d":{}, "a": -0.10\t,"e":null}';
  expect(textsOf(json, "a", "b", "cC", "d", "e", "f")).toEqual([
    "-0.10",
    '[1.0,{"2":1e2,"1":"]}\\"{"}]',
    '"\\u00fc\\\\"',
    "{}",
    "null",
    undefined,
  ]);
  expect(textsOf("{ }", "a")).toEqual([undefined]);
  expect(textsOf('{"__proto__":1,"ü":true}', "__proto__", "ü", "toString")).toEqual(["1", "true", undefined]);
});

test("they are what JSON.parse finds, for all kinds of values", () => {
  const values = [
    0,
    -1.5,
    1e300,
    "",
    '",:{}[]\\',
    "\u2028\ud800",
    true,
    null,
    [],
    {},
    [[]],
    [{}, { a: [1, "]"] }],
  ];
  for (const first of values) {
    for (const second of values) {
      for (const blanks of [undefined, 1, "\t"]) {
        const object = { first, '"other"': second, second };
        const found = textsOf(JSON.stringify(object, undefined, blanks), "first", "second");
        expect(found.map((text) => JSON.parse(text ?? ""))).toEqual([first, second]);
      }
    }
  }
});
