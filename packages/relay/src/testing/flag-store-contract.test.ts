import { AssertionError } from "node:assert/strict";
import { type Item, parseItem } from "@wye/flag-evaluator";
import { describe, expect, test } from "vitest";
import type { FlagStore } from "../stores/flag-store.js";
import { flagStoreContract } from "./flag-store-contract.js";

/** How a store behaves that does what it should. */
const right = {
  /** What tells items apart. */
  idOf: ({ kind, key }: Item): string => JSON.stringify([kind, key]),
  isNewer: (item: Item, kept: Item): boolean => item.version > kept.version,
  /** What is kept of an item. */
  written: (item: Item): Item | undefined => item,
  /** What is kept when this item comes in place of another one. */
  updated: (item: Item): Item | undefined => item,
  /** What an upsert tells of an item that is not newer. */
  told: (_: Item, kept: Item): readonly Item[] => [kept],
  /** What of a set is kept beside what was kept before. */
  replaced: (items: readonly Item[], _before: readonly Item[]): readonly Item[] => items,
  read: (items: readonly Item[], isComplete: boolean): readonly Item[] | undefined =>
    isComplete ? items : undefined,
  isFilled: (_items: readonly Item[], isComplete: boolean): boolean => isComplete,
  takes: (items: readonly Item[], _isComplete: boolean): readonly Item[] => items,
  addsUnknown: true,
  completesWithItems: false,
  /** Whether what was read is what others are written into. */
  isLive: false,
  /** Whether nothing of other stores comes between looking and writing. */
  isAtomic: true,
  isAsked: true,
};
type Behaviour = typeof right;

/** Two stores at one place, with a fault. */
function storesWith(fault: Partial<Behaviour>, closed = { count: 0 }): readonly FlagStore[] {
  const behaviour = { ...right, ...fault };
  const kept = new Map<string, Item>();
  const live: Item[] = [];
  let isComplete = false;
  const put = (item: Item, write: (item: Item) => Item | undefined) => {
    const written = write(item);
    if (written === undefined) kept.delete(behaviour.idOf(item));
    else kept.set(behaviour.idOf(item), written);
  };
  const show = () => {
    if (behaviour.isLive) live.splice(0, live.length, ...kept.values());
  };
  const create = (): FlagStore => ({
    async read() {
      return behaviour.read(behaviour.isLive ? live : [...kept.values()], isComplete);
    },
    async replace(items) {
      const before = [...kept.values()];
      kept.clear();
      for (const item of behaviour.replaced(items, before)) put(item, behaviour.written);
      show();
      isComplete = true;
    },
    async upsert(items) {
      const told: Item[] = [];
      for (const item of behaviour.takes(items, isComplete)) {
        const before = kept.get(behaviour.idOf(item));
        if (!behaviour.isAtomic) await new Promise(setImmediate);
        if (before !== undefined && !behaviour.isNewer(item, before))
          told.push(...behaviour.told(item, before));
        else if (before !== undefined || behaviour.addsUnknown) put(item, behaviour.updated);
      }
      show();
      if (behaviour.completesWithItems) isComplete = true;
      return told;
    },
    ...(behaviour.isAsked
      ? { isFilled: async () => behaviour.isFilled([...kept.values()], isComplete) }
      : {}),
    async close() {
      closed.count++;
    },
  });
  return [create(), create()];
}

/** The promises that such a store breaks. */
async function brokenBy(fault: Partial<Behaviour>): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const { name, run } of flagStoreContract) {
    try {
      await run(async () => storesWith(fault));
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      broken.push(name);
    }
  }
  return broken;
}

const jsonOf = (item: Item, change: (json: string) => string): Item =>
  item.deleted ? item : parseItem(item.kind, item.key, change(item.json));
const beyondLatin = /[^\0-\xff]/g;

const newStore = "a new store has nothing to read";
const emptySet = "an empty set is not the same as no set";
const read = "what was written is read: text, tombstones, both kinds, the same key in both";
const newSet = "a new set replaces the old one, lower versions included";
const greater = "a greater version is kept; an equal or lower one is not";
const unknown = "an unknown item is added, to its kind only";
const tombstones = "a tombstone keeps older versions out and gives way to a newer one";
const early = "items before the first full set do not make a full set";
const keys = "keys are data, whatever they look like";
const unchanged = "what was read does not change by later writes";
const givenBack = "what is kept in place of an item that is not newer is given back";
const several = "of several items each counts for itself";
const numbers = "versions are numbers, not texts, up to the largest whole one";
const gone = "what a new set does not have is gone: an item of any version can be added again";
const thousands = "thousands of items and large ones are kept whole";
const filled = "if asked whether a full set is there, the store knows";
const letters = "items are given as they were written, to the letter";
const oneDoes =
  "of stores that write the same versions at the same time one does, and the others are told what it wrote";
const noneLost = "of stores that write at the same time none loses an update: the greatest version stays";

test("a store that does what it should breaks none of the promises, whether it can be asked or not", async () => {
  expect(await brokenBy({})).toEqual([]);
  expect(await brokenBy({ isAsked: false })).toEqual([]);
  expect(flagStoreContract.map(({ name }) => name)).toEqual([
    ...[newStore, emptySet, read, newSet, greater, unknown, tombstones, early, keys, unchanged],
    ...[givenBack, several, numbers, gone, thousands, filled, letters, oneDoes, noneLost],
  ]);
});

const faults: readonly (readonly [store: string, fault: Partial<Behaviour>, broken: readonly string[]])[] = [
  ["has an empty set from the start", { read: (items) => items }, [newStore, early]],
  [
    "takes an empty set for none",
    { read: (items, is) => (is && items.length > 0 ? items : undefined) },
    [emptySet],
  ],
  [
    "never has a set",
    { read: () => undefined },
    [
      ...[emptySet, read, newSet, greater, unknown, tombstones, keys, unchanged, givenBack, several],
      ...[gone, thousands, letters, oneDoes, noneLost],
    ],
  ],
  [
    "writes JSON anew",
    { written: (item) => jsonOf(item, (json) => JSON.stringify(JSON.parse(json))) },
    [letters],
  ],
  [
    "spoils characters",
    { written: (item) => jsonOf(item, (json) => json.replaceAll(beyondLatin, "?")) },
    [read],
  ],
  [
    "spoils half characters",
    { written: (item) => jsonOf(item, (json) => json.replaceAll(/\\ud800/g, "?")) },
    [letters],
  ],
  [
    "loses the tombstones of a set",
    { replaced: (items) => items.filter(({ deleted }) => !deleted) },
    [read, givenBack],
  ],
  [
    "loses the segments of a set",
    { replaced: (items) => items.filter(({ kind }) => kind === "flags") },
    [read, givenBack, thousands],
  ],
  ["takes both kinds for one", { idOf: ({ key }) => key }, [read, givenBack, several, thousands, oneDoes]],
  ["adds a set to what there was", { replaced: (items, before) => [...before, ...items] }, [newSet, gone]],
  [
    "keeps greater versions than those of a set",
    {
      replaced: (items, before) =>
        items.map((item) => {
          const kept = before.find(({ kind, key }) => kind === item.kind && key === item.key);
          return kept !== undefined && kept.version > item.version ? kept : item;
        }),
    },
    [newSet],
  ],
  [
    "keeps tombstones that a set does not have",
    { replaced: (items, before) => [...before.filter(({ deleted }) => deleted), ...items] },
    [gone],
  ],
  [
    "takes equal versions",
    { isNewer: (item, kept) => item.version >= kept.version },
    [greater, early, givenBack, oneDoes],
  ],
  [
    "takes lower versions",
    { isNewer: (item, kept) => item.version !== kept.version },
    [greater, tombstones, givenBack, several, numbers, noneLost],
  ],
  [
    "takes no newer version",
    { isNewer: () => false },
    [greater, tombstones, several, numbers, thousands, oneDoes, noneLost],
  ],
  [
    "adds nothing that is unknown",
    { addsUnknown: false },
    [unknown, early, givenBack, several, gone, oneDoes, noneLost],
  ],
  [
    "takes no tombstones",
    { isNewer: (item, kept) => !item.deleted && item.version > kept.version },
    [tombstones],
  ],
  ["forgets what gets a tombstone", { updated: (item) => (item.deleted ? undefined : item) }, [tombstones]],
  [
    "ends with a tombstone",
    { isNewer: (item, kept) => !kept.deleted && item.version > kept.version },
    [tombstones],
  ],
  ["takes early items for a set", { completesWithItems: true }, [early, filled]],
  ["forgets early items", { takes: (items, is) => (is ? items : []) }, [early]],
  ["gives what is written into later", { isLive: true }, [unchanged]],
  [
    "does not tell what it has",
    { told: () => [] },
    [greater, tombstones, early, givenBack, several, numbers, oneDoes],
  ],
  ["tells what it was given", { told: (item) => [item] }, [givenBack, several, numbers, oneDoes]],
  ["tells of flags only", { told: (_, kept) => (kept.kind === "flags" ? [kept] : []) }, [givenBack, oneDoes]],
  ["tells of no tombstones", { told: (_, kept) => (kept.deleted ? [] : [kept]) }, [tombstones, givenBack]],
  [
    "takes the first of several",
    { takes: (items) => items.slice(0, 1) },
    [givenBack, several, gone, oneDoes],
  ],
  ["takes the last of several", { takes: (items) => items.slice(-1) }, [givenBack, several, gone, oneDoes]],
  [
    "compares versions as texts",
    { isNewer: (item, kept) => `${item.version}` > `${kept.version}` },
    [numbers, thousands, oneDoes, noneLost],
  ],
  [
    "has versions of 31 bits",
    { isNewer: (item, kept) => (item.version | 0) > (kept.version | 0) },
    [numbers],
  ],
  [
    "has versions of 32 bits",
    { isNewer: (item, kept) => item.version >>> 0 > kept.version >>> 0 },
    [numbers],
  ],
  [
    "rounds versions",
    { isNewer: (item, kept) => Math.fround(item.version) > Math.fround(kept.version) },
    [numbers],
  ],
  [
    "takes a version of zero for none",
    { isNewer: (item, kept) => kept.version > 0 && item.version > kept.version },
    [numbers, thousands],
  ],
  [
    "has room for a thousand items",
    { read: (items, is) => (is ? items.slice(0, 1000) : undefined) },
    [thousands],
  ],
  [
    "has no room for what is large",
    { written: (item) => jsonOf(item, (json) => (json.length > 65_536 ? '{"version":1}' : json)) },
    [thousands],
  ],
  ["is always filled", { isFilled: () => true }, [filled]],
  ["is never filled", { isFilled: () => false }, [filled]],
  ["is filled with items", { isFilled: (items) => items.length > 0 }, [filled]],
  ["is filled with early items", { isFilled: (items, is) => is || items.length > 0 }, [filled]],
  ["lets others come between", { isAtomic: false }, [oneDoes]],
];

describe("a store breaks the promises that it does not keep, when it", () => {
  for (const [store, fault, broken] of faults)
    test(store, async () => {
      expect(await brokenBy(fault)).toEqual(broken);
    });

  test.each(["__proto__", "constructor", "a b/ü", "$inited", "", ":", "a:b"])(
    "loses the key %j",
    async (key) => {
      expect(await brokenBy({ replaced: (items) => items.filter((item) => item.key !== key) })).toEqual([
        keys,
      ]);
    },
  );
});

test("stores are closed, each of them, also when they have broken a promise", async () => {
  for (const fault of [{}, { read: () => [] }]) {
    const closed = { count: 0 };
    for (const { run } of flagStoreContract)
      await run(async () => storesWith(fault, closed)).catch((error: unknown) => {
        if (!(error instanceof AssertionError)) throw error;
      });
    expect(closed.count).toBe(2 * flagStoreContract.length);
  }
});

test("a single store may be given, but not none", async () => {
  for (const { run } of flagStoreContract) {
    const [store] = storesWith({});
    if (store === undefined) throw new Error("there is none");
    await run(async () => store);
    await expect(run(async () => [])).rejects.toThrow("create has to give a store");
  }
});

test("a promise is only kept when the stores could be closed", async () => {
  for (const { run } of flagStoreContract) {
    const stores = storesWith({}).map((store) => ({
      ...store,
      close: () => Promise.reject(new Error("it cannot be closed")),
    }));
    await expect(run(async () => stores)).rejects.toThrow("it cannot be closed");
  }
});
