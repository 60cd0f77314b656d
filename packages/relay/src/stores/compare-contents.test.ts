import { type Item, parseItem, tombstone } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { compareContents, knownOf } from "./compare-contents.js";

const item = (key: string, version: number): Item => parseItem("flags", key, `{"version":${version}}`);
const segment = (key: string, version: number): Item => parseItem("segments", key, `{"version":${version}}`);
const named = (items: Iterable<Item>) =>
  Array.from(items, ({ kind, key, version }) => `${kind} ${key}${version}`);

test("a store lacks what is served in a newer version, or is not there", () => {
  const kept = [item("same", 2), item("older", 1), item("newer", 3), segment("b", 5)];
  const served = [item("same", 2), item("older", 2), item("newer", 2), item("new", 1), item("b", 1)];
  const { lacking, older, hasMore } = compareContents(kept, served);
  expect(named(lacking.values())).toEqual(["flags older2", "flags new1", "flags b1"]);
  expect([...lacking.keys()]).toEqual(["flags/older 2", "flags/new 1", "flags/b 1"]);
  expect([named(older), hasMore]).toEqual([["flags older2"], true]);
});

test.each<[string, Item[], Item[], boolean]>([
  ["nothing", [], [item("a", 1)], false],
  ["what is served", [item("a", 9)], [item("a", 1)], false],
  ["what is known to be deleted", [item("a", 1)], [tombstone("flags", "a", 2)], false],
  ["what is deleted there", [tombstone("flags", "a", 2)], [], false],
  ["what nobody serves", [item("a", 1)], [], true],
  ["a segment with the key of a flag", [segment("a", 1)], [item("a", 1)], true],
])("whether a store has more is told by %s", (_, kept, served, hasMore) => {
  expect(compareContents(kept, served).hasMore).toBe(hasMore);
});

test("known are the items of which any version is served", () => {
  const items = [item("a", 5), item("b", 1), segment("a", 1)];
  expect(named(knownOf(items, [item("a", 1), tombstone("segments", "a", 7)]))).toEqual([
    "flags a5",
    "segments a1",
  ]);
});
