import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createStoreContext } from "../testing/store-context.js";
import { readStoredItems } from "./read-stored-items.js";
import type { StoredText } from "./tell-of-items.js";

const stored = (key: string, text: string): StoredText => ({ kind: "flags", key, text, place: key });

test("what is read is in order; what is none is told of and left out", async () => {
  const told: string[] = [];
  const { logger } = createStoreContext({ told });
  const all = [stored("a", '{"version":1}'), stored("b", "null"), stored("c", '{"version":2,"key":"c"}')];
  const items = await readStoredItems(all, { about: undefined, logger });
  expect(items.map(({ key, version }) => [key, version])).toEqual([
    ["a", 1],
    ["c", 2],
  ]);
  expect(told).toHaveLength(1);
});

test("megabytes are read in turns, between which others have theirs", async () => {
  const { logger } = createStoreContext();
  const megabytes = Array.from({ length: 4000 }, (_, index) =>
    stored(`flag-${index}`, JSON.stringify({ key: `flag-${index}`, version: 1, pad: "x".repeat(1000) })),
  );
  let read: readonly unknown[] | undefined;
  void readStoredItems(megabytes, { about: undefined, logger }).then((items) => {
    read = items;
  });
  let turns = 0;
  for (; read === undefined; turns++) await turn();
  expect(read).toHaveLength(4000);
  expect(turns).toBeGreaterThan(10);
});
