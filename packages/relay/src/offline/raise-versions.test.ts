import { type Item, parseItem } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { type ReadItems, raiseVersions } from "./raise-versions.js";

const flag = (key: string, version: number, on: boolean): Item =>
  parseItem("flags", key, JSON.stringify({ key, version, on }));
const served = ({ served }: ReadItems) => served.map(({ json }) => JSON.parse(json));

test("an item that has changed gets the version after the last, and keeps it", () => {
  const first = raiseVersions([flag("a", 1, true), flag("b", 1, true)], undefined);
  expect(served(first)).toEqual([
    { key: "a", version: 1, on: true },
    { key: "b", version: 1, on: true },
  ]);
  const second = raiseVersions([flag("b", 1, true), flag("a", 1, false)], first);
  expect(served(second)).toEqual([
    { key: "b", version: 1, on: true },
    { key: "a", version: 2, on: false },
  ]);
  expect(second.served[1]?.version).toBe(2);
  const third = raiseVersions([flag("a", 1, false), flag("b", 1, false)], second);
  expect(third.served.map(({ version }) => version)).toEqual([2, 2]);
  const back = raiseVersions([flag("a", 1, true)], third);
  expect(back.served.map(({ version }) => version)).toEqual([3]);
});

test("a greater version of one's own counts, one that is not greater does not", () => {
  const first = raiseVersions([flag("a", 5, true)], undefined);
  expect(raiseVersions([flag("a", 9, false)], first).served[0]?.version).toBe(9);
  expect(raiseVersions([flag("a", 5, false)], first).served[0]?.version).toBe(6);
  expect(raiseVersions([flag("a", 2, false)], first).served[0]?.version).toBe(6);
});

test.each([
  { version: 1, served: 4 },
  { version: 2, served: 4 },
  { version: 3, served: 4 },
  { version: 4, served: 4 },
  { version: 5, served: 5 },
])("after changes that nobody has counted version $version is served as $served", ({ version, served }) => {
  const first = raiseVersions([flag("a", 1, true)], undefined);
  const second = raiseVersions([flag("a", 1, false)], first);
  const third = raiseVersions([flag("a", 1, true)], second);
  expect(third.served.map((item) => item.version)).toEqual([3]);
  const fourth = raiseVersions([flag("a", version, false)], third);
  expect(fourth.served).toEqual([flag("a", served, false)]);
  // What stays as it is keeps what it was served with.
  expect(raiseVersions([flag("a", version, false)], fourth).served).toEqual(fourth.served);
});

test("a version alone is a change as well", () => {
  const first = raiseVersions([flag("a", 5, true)], undefined);
  const lower = raiseVersions([flag("a", 4, true)], first);
  expect(lower.served).toEqual([flag("a", 6, true)]);
  expect(raiseVersions([flag("a", 7, true)], lower).served).toEqual([flag("a", 7, true)]);
});

test("what was taken away and comes back is new", () => {
  const first = raiseVersions([flag("a", 5, true), flag("b", 1, true)], undefined);
  const second = raiseVersions([flag("b", 1, true)], first);
  expect(raiseVersions([flag("a", 2, false), flag("b", 1, true)], second).served).toEqual([
    flag("a", 2, false),
    flag("b", 1, true),
  ]);
});

test("a flag and a segment of one name are two items", () => {
  const segment = parseItem("segments", "a", '{"key":"a","version":7}');
  const first = raiseVersions([segment], undefined);
  expect(raiseVersions([flag("a", 1, true), segment], first).served).toEqual([flag("a", 1, true), segment]);
});
