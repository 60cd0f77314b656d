import { type Item, parseItem, tombstone } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { FlagSet } from "../flag-set.js";
import { differencesBetween } from "./differences.js";
import { serverFrame } from "./server-transition.js";

const item = (key: string, version: number, salt = "", kind: "flags" | "segments" = "flags") =>
  parseItem(kind, key, JSON.stringify({ key, version, salt }));
const many = (count: number, version: number, salt = "") =>
  Array.from({ length: count }, (_, index) => item(`f${index}`, version, salt));

/** What a stream is told when the first of these become the others, event by event. */
function told(before: readonly Item[], after: readonly Item[], channel: "all" | "flags" = "all"): string[] {
  const flags = new FlagSet();
  flags.apply({ extent: "full", items: before });
  const previous = flags.evaluator;
  flags.apply({ extent: "full", items: after });
  const frame = serverFrame(flags, differencesBetween(previous, flags.evaluator), channel);
  return [...(frame?.event.toString() ?? "").matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(
    ([, name, data]) => `${name} ${JSON.parse(data ?? "").path}`,
  );
}

const tombstones = many(9, 2).map(({ key }) => tombstone("flags", `gone-${key}`, 2));
const large = item("large", 1, "x".repeat(1000));

test.each([
  { name: "eight of eight", before: many(8, 1), after: many(8, 2), first: "patch /flags/f0", count: 8 },
  { name: "nine of nine", before: many(9, 1), after: many(9, 2), first: "put /", count: 1 },
  {
    name: "nine beside a large one",
    before: [...many(9, 1), large],
    after: [...many(9, 2), large],
    first: "patch /flags/f0",
    count: 9,
  },
  {
    name: "nine that are deleted",
    before: many(9, 1),
    after: many(9, 2).map(({ key }) => tombstone("flags", key, 2)),
    first: "put /",
    count: 1,
  },
  {
    name: "nine that are deleted beside one that stays",
    before: [...many(9, 1), item("a", 1)],
    after: [...many(9, 2).map(({ key }) => tombstone("flags", key, 2)), item("a", 1)],
    first: "delete /flags/f0",
    count: 9,
  },
  {
    name: "nine beside tombstones",
    before: [...many(9, 1), ...tombstones],
    after: [...many(9, 2), ...tombstones],
    first: "put /",
    count: 1,
  },
  { name: "an older one", before: many(1, 2), after: many(1, 1), first: "put /", count: 1 },
])("of flags that are others, $name, is told: $first", ({ before, after, first, count }) => {
  const events = told(before, after);
  expect([events[0], events.length]).toEqual([first, count]);
});

test("segments are told on the stream of everything only, and what cannot be read on none", () => {
  const before = [item("a", 1), item("s", 1, "", "segments")];
  const after = [
    item("a", 2),
    item("s", 2, "", "segments"),
    parseItem("flags", "bad", '{"version":"7"}'),
    parseItem("segments", "bad", "[]"),
  ];
  expect(told(before, after)).toEqual(["patch /flags/a", "patch /segments/s"]);
  expect(told(before, after, "flags")).toEqual(["patch /a"]);
  expect(told(after, after)).toEqual([]);
  expect(told([item("a", 1)], [item("a", 1), item("s", 1, "", "segments")], "flags")).toEqual([]);
});

test("segments that are to be told all at once leave the stream of flags as it is", () => {
  const before = [item("a", 1), item("s", 2, "", "segments")];
  const after = [item("a", 2), item("s", 1, "", "segments")];
  expect([told(before, after, "flags"), told(before, after)]).toEqual([["patch /a"], ["put /"]]);
});
