import { expect, test } from "vitest";
import { pathSegment, queryText } from "./api-request.js";

test.each<readonly [query: Parameters<typeof queryText>[0], text: string]>([
  [undefined, ""],
  [[], ""],
  [[["a", undefined]], ""],
  [[["a", ""]], "?a="],
  [
    [
      ["a", "x y&z"],
      ["b", undefined],
      ["c", "é/?#+"],
    ],
    "?a=x%20y%26z&c=%C3%A9%2F%3F%23%2B",
  ],
  [[["a", "\ud800"]], "?a=%EF%BF%BD"],
])("the query %j is %j", (query, text) => expect(queryText(query)).toBe(text));

test.each([
  ["a", "a"],
  ["a/b ?", "a%2Fb%20%3F"],
  ["...", "..."],
  [".a", ".a"],
  ["\ud800", "%EF%BF%BD"],
])("the id %j is %j in a path", (id, text) => expect(pathSegment(id)).toBe(text));

test.each(["", ".", "..", 5, undefined])("%j cannot be an id", (id) => {
  expect(() => pathSegment(id as string)).toThrow(new TypeError(`${JSON.stringify(id)} cannot be an id`));
});
