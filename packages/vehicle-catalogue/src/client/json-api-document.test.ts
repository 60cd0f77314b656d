import { expect, test } from "vitest";
import { isDocument, overallCountOf } from "./json-api-document.js";

test.each([
  [{ overall_count: 0 }, 0],
  [{ overall_count: 293 }, 293],
  [{ overall_count: -1 }, undefined],
  [{ overall_count: 1.5 }, undefined],
  [{ overall_count: 2 ** 53 }, undefined],
  [{ overall_count: "3" }, undefined],
  [{}, undefined],
  [[], undefined],
  [null, undefined],
  [undefined, undefined],
])("the meta data %j count %s", (meta, count) => expect(overallCountOf({ data: [], meta })).toBe(count));

const good = { type: "car", id: "a" };

test.each<[value: unknown, isOne: boolean]>([
  [{ data: [] }, true],
  [{ data: [good], included: [good] }, true],
  [{ data: [good], included: null }, true],
  [{ data: good }, false],
  [{ data: [good, { type: "car" }] }, false],
  [{ data: [{ type: "car" }, good] }, false],
  [{ data: [{ id: "a" }] }, false],
  [{ data: [{ type: "car", id: 5 }] }, false],
  [{ data: [{ type: 5, id: "a" }] }, false],
  [{ data: [null] }, false],
  [{ data: [], included: {} }, false],
  [{ data: [], included: [{ id: "a" }] }, false],
  [{}, false],
  [[], false],
  [null, false],
  [undefined, false],
  ["data", false],
])("a value that can be told apart by its resources: %j is one: %s", (value, isOne) => {
  expect(isDocument(value)).toBe(isOne);
});
