import assert from "node:assert/strict";
import { type FlagData, type Item, tombstone } from "../flag-data.js";
import type { FlagStore } from "../stores/flag-store.js";

/** One promise of a seam, as a test that any runner can run. */
export interface ContractCase<Subject> {
  readonly name: string;
  /** Rejects with an `AssertionError` when the promise is broken. `create` gives a new, empty one each time. */
  readonly run: (create: () => Promise<Subject>) => Promise<void>;
}

function item(key: string, version: number, rest: object = {}): Item {
  return { key, version, deleted: false, json: JSON.stringify({ key, version, ...rest }) };
}

function data(flags: readonly Item[], segments: readonly Item[] = []): FlagData {
  const byKey = (items: readonly Item[]) => new Map(items.map((one) => [one.key, one]));
  return { flags: byKey(flags), segments: byKey(segments) };
}

/**
 * What every `FlagStore` promises. In a test file of a store:
 * `for (const { name, run } of flagStoreContract) test(name, () => run(async () => createMyStore()));`
 */
export const flagStoreContract: readonly ContractCase<FlagStore>[] = [
  {
    name: "a new store has nothing to read",
    run: using(async (store) => assert.equal(await store.read(), undefined)),
  },
  {
    name: "an empty set is not the same as no set",
    run: using(async (store) => {
      await store.replace(data([]));
      assert.deepEqual(await store.read(), data([]));
    }),
  },
  {
    name: "what was written is read: text, tombstones, both kinds, the same key in both",
    run: using(async (store) => {
      const all = data([item("a", 1, { é: "\u2028😀", n: 1e21 }), tombstone("gone", 3)], [item("a", 9)]);
      await store.replace(all);
      assert.deepEqual(await store.read(), all);
    }),
  },
  {
    name: "a new set replaces the old one, lower versions included",
    run: using(async (store) => {
      await store.replace(data([item("a", 5), item("b", 1)], [item("s", 4)]));
      await store.replace(data([item("a", 2)]));
      assert.deepEqual(await store.read(), data([item("a", 2)]));
    }),
  },
  {
    name: "a greater version is kept; an equal or lower one is not",
    run: using(async (store) => {
      await store.replace(data([item("a", 2)]));
      assert.equal(await store.upsert("flags", item("a", 2, { late: true })), false);
      assert.equal(await store.upsert("flags", item("a", 1)), false);
      assert.equal(await store.upsert("flags", item("a", 3, { new: true })), true);
      assert.deepEqual(await store.read(), data([item("a", 3, { new: true })]));
    }),
  },
  {
    name: "an unknown item is added, to its kind only",
    run: using(async (store) => {
      await store.replace(data([]));
      assert.equal(await store.upsert("segments", item("s", 1)), true);
      assert.deepEqual(await store.read(), data([], [item("s", 1)]));
    }),
  },
  {
    name: "a tombstone keeps older versions out and gives way to a newer one",
    run: using(async (store) => {
      await store.replace(data([item("a", 2)]));
      assert.equal(await store.upsert("flags", tombstone("a", 5)), true);
      assert.equal(await store.upsert("flags", item("a", 4)), false);
      assert.equal((await store.read())?.flags.get("a")?.deleted, true);
      assert.equal(await store.upsert("flags", item("a", 6)), true);
      assert.equal((await store.read())?.flags.get("a")?.deleted, false);
    }),
  },
  {
    name: "items before the first full set do not make a full set",
    run: using(async (store) => {
      assert.equal(await store.upsert("flags", item("a", 1)), true);
      assert.equal(await store.upsert("flags", item("a", 1)), false);
      assert.equal(await store.read(), undefined);
    }),
  },
  {
    name: "keys are data, whatever they look like",
    run: using(async (store) => {
      const odd = ["__proto__", "constructor", "a b/ü", "$inited", "", ":", "a:b"];
      await store.replace(data(odd.map((key, index) => item(key, index + 1))));
      assert.deepEqual([...((await store.read())?.flags.keys() ?? [])].sort(), [...odd].sort());
    }),
  },
  {
    name: "what was read does not change by later writes",
    run: using(async (store) => {
      await store.replace(data([item("a", 1)]));
      const before = await store.read();
      await store.upsert("flags", item("a", 2));
      await store.upsert("flags", item("b", 1));
      assert.deepEqual(before, data([item("a", 1)]));
    }),
  },
];

function using(check: (store: FlagStore) => Promise<void>): ContractCase<FlagStore>["run"] {
  return async (create) => {
    const store = await create();
    try {
      await check(store);
    } finally {
      await store.close();
    }
  };
}
