import { describe, expect, test } from "vitest";
import { negotiateMediaType } from "./media-type.js";
import { parseWeightedList } from "./weighted-list.js";

const read = (header: string) =>
  parseWeightedList(header).map(({ value, parameters, weight }) => [
    value,
    weight,
    ...[...parameters].map((parameter) => parameter.join("=")),
  ]);

describe("a list with weights is read:", () => {
  test.each<[header: string, ...items: unknown[][]]>([
    [""],
    [","],
    [" , ;q=1,"],
    ["a", ["a", 1]],
    [" A/B , c ", ["a/b", 1], ["c", 1]],
    ["a;", ["a", 1]],
    ["a;;x=1; ", ["a", 1, "x=1"]],
    ["a;x", ["a", 1, "x="]],
    ["a; X = Y ", ["a", 1, "x=Y"]],
    ["a;x=1;x=2", ["a", 1, "x=2"]],
    ["a;x=b=c", ["a", 1, "x=b=c"]],
    ["a;q=0.5,b;Q=0.25", ["a", 0.5, "q=0.5"], ["b", 0.25, "q=0.25"]],
    ['a;q="0.5"', ["a", 0.5, "q=0.5"]],
  ])("%s", (header, ...items) => expect(read(header)).toEqual(items));
});

describe("a weight is", () => {
  test.each([
    ["0", 0],
    ["0.", 0],
    ["0.5", 0.5],
    ["0.001", 0.001],
    ["0.0001", 1],
    ["1", 1],
    ["1.", 1],
    ["1.000", 1],
    ["1.0000", 1],
    ["1.001", 1],
    ["2", 1],
    ["-0.5", 1],
    [".5", 1],
    ["00.5", 1],
    ["0.5x", 1],
    ["x0.5", 1],
    ["0x5", 1],
    ["1x0", 1],
    ["", 1],
  ])("%s: %d", (text, weight) => {
    expect(parseWeightedList(`a;q=${text}`).map((item) => item.weight)).toEqual([weight]);
  });
});

test.each([
  ["application/json;q=0.1, application/vnd.api+json;q=0.5, application/json;q=0.9", "application/json"],
  ["application/json;q=0.9, application/vnd.api+json;q=0.5, application/json;q=0.1", "application/json"],
  ["application/json;q=0.4, application/vnd.api+json;q=0.5, */*", "application/vnd.api+json"],
])("of ranges that are named twice the one with more weight counts: %s", (accept, type) => {
  expect(negotiateMediaType(accept)).toBe(type);
});

describe("what stands in quotes is text:", () => {
  test.each([
    ['""', ""],
    ['"b"', "b"],
    ['"b,c;d"', "b,c;d"],
    ['"b\\"c"', 'b"c'],
    ['"b\\\\"', "b\\"],
    ['"\\b"', "b"],
    ['"', '"'],
    ['"b', '"b'],
    ['b"', 'b"'],
    ['b"c"', 'b"c"'],
    ['"b"c', '"b"c'],
    ["'b'", "'b'"],
  ])("%s", (written, value) => {
    expect(parseWeightedList(`a;x=${written}`).map(({ parameters }) => parameters.get("x"))).toEqual([value]);
  });

  test("and ends with the quote", () => {
    expect(read('a;x=",",b;y="\\",",c')).toEqual([
      ["a", 1, "x=,"],
      ["b", 1, 'y=",'],
      ["c", 1],
    ]);
    expect(read('a;x=",b')).toEqual([["a", 1, 'x=",b']]);
  });
});

test.each([
  "application/vnd.api+json;",
  "application/vnd.api+json; ;q=1;",
  'application/vnd.api+json;profile="a,b"',
  'application/vnd.api+json;ext=""',
])("%s asks for the documents as they are", (accept) => {
  expect(negotiateMediaType(accept)).toBe("application/vnd.api+json");
});
