import { expect, test } from "vitest";
import * as yaml from "yaml";
import { placesIn } from "./yaml-places.js";

const text = `a:
  b: [1, { c: 2 }]
  ? [k]
  : 5
  : nothing
x: !!pairs
  - y: 1
`;

/** What stands at a place of the text, or behind blanks there, to the end of its line. */
function at(offset: number | undefined): string | undefined {
  return offset === undefined ? undefined : text.slice(offset).trimStart().split("\n")[0];
}

test.each([
  [["a"], "a:"],
  [["a", "b"], "b: [1, { c: 2 }]"],
  [["a", "b", "0"], "1, { c: 2 }]"],
  [["a", "b", "1"], "{ c: 2 }]"],
  [["a", "b", "1", "c"], "c: 2 }]"],
  [["a", "b", "1", "c", "d", "e"], "c: 2 }]"],
  [["a", "b", "1", "none", "c"], "{ c: 2 }]"],
  [["a", "b", "2"], "b: [1, { c: 2 }]"],
  [["a", ""], ": nothing"],
  [["x", "0"], "x: !!pairs"],
  [[], undefined],
  [["none", "b"], undefined],
])("the innermost known place of %j is that of %j", (path, place) => {
  const { contents } = yaml.parseDocument(text);
  expect(at(placesIn(yaml, contents)(path))).toBe(place);
});

test("in a text with nothing in it there are no places", () => {
  expect(placesIn(yaml, yaml.parseDocument("").contents)(["a"])).toBeUndefined();
});

test("what stands in a collection is looked at once", () => {
  const looked: unknown[] = [];
  const isMap = (node: unknown) => looked.push(node) > 0 && yaml.isMap(node);
  const { contents } = yaml.parseDocument(text);
  const placeOf = placesIn({ ...yaml, isMap: isMap as typeof yaml.isMap }, contents);
  for (let n = 0; n < 3; n++) placeOf(["a", "b"]);
  expect(looked).toHaveLength(2);
});
