import { compileFlags, type Item, parseItem, tombstone } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { differencesBetween, isToldByVersion } from "./differences.js";

const item = (kind: "flags" | "segments", key: string, version: number, salt = "") =>
  parseItem(kind, key, JSON.stringify({ key, version, salt }));
const state = (...items: Item[]) => compileFlags({}).apply({ extent: "full", items });

test("states differ in what is another one, is new, or is gone, of each kind", () => {
  const [kept, old, gone] = [item("flags", "kept", 3), item("flags", "a", 2), item("segments", "b", 1)];
  const [next, added] = [item("flags", "a", 2, "x"), item("segments", "a", 1)];
  const alike = item("flags", "kept", 3);
  expect(differencesBetween(state(kept, old, gone), state(alike, next, added))).toEqual([
    { kind: "flags", key: "a", before: old, after: next },
    { kind: "segments", key: "a", before: undefined, after: added },
    { kind: "segments", key: "b", before: gone, after: undefined },
  ]);
});

const at = (version: number) => item("flags", "a", version);
test.each([
  { name: "a greater version", before: at(1), after: at(2), told: true },
  { name: "the same version", before: at(2), after: at(2), told: false },
  { name: "an older version", before: at(2), after: at(1), told: false },
  { name: "a new item without a version", before: undefined, after: at(0), told: true },
  {
    name: "the tombstone of a greater version",
    before: at(1),
    after: tombstone("flags", "a", 2),
    told: true,
  },
  { name: "an item that is gone without a trace", before: at(1), after: undefined, told: false },
])("SDKs take by itself: $name, $told", ({ before, after, told }) => {
  expect(isToldByVersion({ kind: "flags", key: "a", before, after })).toBe(told);
});
