import { type Change, parseItem } from "@wye/relay";
import { expect, test } from "vitest";
import { ItemSet } from "./item-set.js";

/** Flags as `a@1`, with a word that tells one from another of the same version. */
const change = (extent: Change["extent"], flags: string, selector?: string): Change => ({
  extent,
  items: flags
    .split(" ")
    .filter((flag) => flag !== "")
    .map((flag) => {
      const [, key = "", version, word] = /^(.+)@(\d+)(.*)$/.exec(flag) ?? [];
      return parseItem("flags", key, JSON.stringify({ key, version: Number(version), word }));
    }),
  selector: selector as Change["selector"],
});

test.each<[what: string, changes: readonly Change[], left: string]>([
  ["nothing", [], "partial "],
  ["some flags", [change("partial", "a@1 b@1")], "partial a@1 b@1"],
  ["all flags", [change("full", "a@1 b@1")], "full a@1 b@1"],
  ["none at all", [change("full", "a@1"), change("full", "")], "full "],
  ["a newer one", [change("full", "a@1 b@1"), change("partial", "a@2")], "full a@2 b@1"],
  ["an older one", [change("full", "a@2"), change("partial", "a@1")], "full a@2"],
  ["another of the same version", [change("partial", "a@1x"), change("partial", "a@1y")], "partial a@1x"],
  ["older ones that are all", [change("partial", "a@2 b@2"), change("full", "a@1")], "full a@1"],
  ["the same one twice in all", [change("full", "a@2 a@1")], "full a@1"],
])("of %s the newest are kept", (_, changes, left) => {
  const set = new ItemSet();
  for (const one of changes) set.take(one);
  const { extent, items } = set.change();
  const words = items.map(({ key, version, json }) => `${key}@${version}${JSON.parse(json).word ?? ""}`);
  expect(`${extent} ${words.join(" ")}`).toBe(left);
  expect(set.isFull).toBe(extent === "full");
});

test("a flag and a segment of one key are two", () => {
  const set = new ItemSet();
  const items = (["flags", "segments"] as const).map((kind) => parseItem(kind, "a", '{"version":1}'));
  set.take({ extent: "full", items, selector: undefined });
  expect(set.change().items).toEqual(items);
});

test("where upstream is to go on is what the last change has said, also when that was nothing", () => {
  const set = new ItemSet();
  const seen = ["first", "second", undefined].map((selector) => {
    set.take(change("partial", "a@1", selector));
    return set.change().selector;
  });
  expect(seen).toEqual(["first", "second", undefined]);
});
