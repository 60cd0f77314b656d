import { expect, test } from "vitest";
import { atOnce } from "../steps.js";
import { readJson } from "./located-json.js";

const text = `
{ "a":
  { "b": [1,
    { "c":
      2 }],
    "__proto__":
      3 } }`;

test.each([
  [[], 1],
  [["none"], 1],
  [["a"], 3],
  [["a", "b"], 3],
  [["a", "b", "1"], 4],
  [["a", "b", "1", "c"], 5],
  [["a", "b", "1", "c", "d", "e"], 5],
  [["a", "b", "1", "none", "c"], 4],
  [["a", "b", "2"], 3],
  [["a", "__proto__"], 7],
  [["a", "toString"], 3],
])("the innermost known place of %j is in line %i", (path, line) => {
  const { lineOf, problems } = atOnce(readJson(text, JSON.parse(text)));
  expect([lineOf(path), problems]).toEqual([line, []]);
});
