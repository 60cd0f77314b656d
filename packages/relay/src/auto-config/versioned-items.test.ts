import { expect, test } from "vitest";
import { VersionedItems } from "./versioned-items.js";

test("an item gives way to a newer version only, deleted or not", () => {
  const items = new VersionedItems<string>();
  const known = () => [...items.entries()];
  expect([items.upsert("a", 2, "two"), items.upsert("a", 2, "again"), items.upsert("a", 1, "one")]).toEqual([
    true,
    false,
    false,
  ]);
  expect([items.get("a"), known()]).toEqual(["two", [["a", "two"]]]);
  expect([items.delete("a", 2), items.delete("a", 3), items.delete("a", 4)]).toEqual([
    undefined,
    "two",
    undefined,
  ]);
  expect([items.get("a"), known()]).toEqual([undefined, []]);
  // What was deleted is as new as its deletion.
  expect([items.isNewer("a", 4), items.upsert("a", 4, "four"), items.isNewer("a", 5)]).toEqual([
    false,
    false,
    true,
  ]);
  expect([items.upsert("a", 5, "five"), items.get("a")]).toEqual([true, "five"]);
});

test("version 0 is one like others: neither it nor one below it comes twice", () => {
  const items = new VersionedItems<string>();
  expect([
    items.upsert("a", 0, "zero"),
    items.upsert("a", 0, "again"),
    items.upsert("a", -1, "less"),
  ]).toEqual([true, false, false]);
  expect([items.delete("a", 0), items.get("a")]).toEqual([undefined, "zero"]);
  expect([items.isNewer("a", 0), items.isNewer("a", 1), items.isNewer("b", -1)]).toEqual([false, true, true]);
});

test("the deletion of what nobody knows is remembered", () => {
  const items = new VersionedItems<string>();
  expect([items.delete("a", 3), items.upsert("a", 3, "three"), items.upsert("a", 4, "four")]).toEqual([
    undefined,
    false,
    true,
  ]);
});

test("what is forgotten is told, but for deletions, and comes with any version", () => {
  const items = new VersionedItems<string>();
  for (const id of ["a", "b", "c"]) items.upsert(id, 7, id);
  items.delete("c", 8);
  expect(items.retain(new Set(["b"]))).toEqual([["a", "a"]]);
  expect([...items.entries()]).toEqual([["b", "b"]]);
  expect(["a", "b", "c"].map((id) => items.upsert(id, 1, "anew"))).toEqual([true, false, true]);
});
