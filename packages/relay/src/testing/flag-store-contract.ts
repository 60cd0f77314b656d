import assert from "node:assert/strict";
import { type Item, type ItemKind, parseItem, tombstone } from "@wye/flag-evaluator";
import type { FlagStore } from "../stores/flag-store.js";

/** One promise of a seam, as a test that any runner can run. */
export interface ContractCase<Subject> {
  readonly name: string;
  /** Rejects with an `AssertionError` when the promise is broken. `create` gives a new, empty one each time. */
  readonly run: (create: () => Promise<Subject>) => Promise<void>;
}

function flag(key: string, version: number, rest: object = {}): Item {
  return parseItem("flags", key, JSON.stringify({ key, version, ...rest }));
}

function segment(key: string, version: number): Item {
  return parseItem("segments", key, JSON.stringify({ key, version }));
}

/** What a store gives, in no particular order. */
async function contents(
  store: FlagStore,
): Promise<readonly (readonly [ItemKind, string, string])[] | undefined> {
  return described(await store.read());
}

function described(
  items: readonly Item[] | undefined,
): readonly (readonly [ItemKind, string, string])[] | undefined {
  return items
    ?.map(({ kind, key, json }) => [kind, key, json] as const)
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
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
      await store.replace([]);
      assert.deepEqual(await contents(store), []);
    }),
  },
  {
    name: "what was written is read: text, tombstones, both kinds, the same key in both",
    run: using(async (store) => {
      const all = [flag("a", 1, { é: "\u2028😀", n: 1e21 }), tombstone("flags", "gone", 3), segment("a", 9)];
      await store.replace(all);
      assert.deepEqual(await contents(store), described(all));
    }),
  },
  {
    name: "a new set replaces the old one, lower versions included",
    run: using(async (store) => {
      await store.replace([flag("a", 5), flag("b", 1), segment("s", 4)]);
      await store.replace([flag("a", 2)]);
      assert.deepEqual(await contents(store), described([flag("a", 2)]));
    }),
  },
  {
    name: "a greater version is kept; an equal or lower one is not",
    run: using(async (store) => {
      await store.replace([flag("a", 2)]);
      assert.equal(await store.upsert(flag("a", 2, { late: true })), false);
      assert.equal(await store.upsert(flag("a", 1)), false);
      assert.equal(await store.upsert(flag("a", 3, { new: true })), true);
      assert.deepEqual(await contents(store), described([flag("a", 3, { new: true })]));
    }),
  },
  {
    name: "an unknown item is added, to its kind only",
    run: using(async (store) => {
      await store.replace([]);
      assert.equal(await store.upsert(segment("s", 1)), true);
      assert.deepEqual(await contents(store), described([segment("s", 1)]));
    }),
  },
  {
    name: "a tombstone keeps older versions out and gives way to a newer one",
    run: using(async (store) => {
      await store.replace([flag("a", 2)]);
      assert.equal(await store.upsert(tombstone("flags", "a", 5)), true);
      assert.equal(await store.upsert(flag("a", 4)), false);
      assert.deepEqual(
        (await store.read())?.map(({ deleted }) => deleted),
        [true],
      );
      assert.equal(await store.upsert(flag("a", 6)), true);
      assert.deepEqual(
        (await store.read())?.map(({ deleted }) => deleted),
        [false],
      );
    }),
  },
  {
    name: "items before the first full set do not make a full set",
    run: using(async (store) => {
      assert.equal(await store.upsert(flag("a", 1)), true);
      assert.equal(await store.upsert(flag("a", 1)), false);
      assert.equal(await store.read(), undefined);
    }),
  },
  {
    name: "keys are data, whatever they look like",
    run: using(async (store) => {
      const odd = ["__proto__", "constructor", "a b/ü", "$inited", "", ":", "a:b"];
      await store.replace(odd.map((key, index) => flag(key, index + 1)));
      assert.deepEqual((await store.read())?.map(({ key }) => key).sort(), [...odd].sort());
    }),
  },
  {
    name: "what was read does not change by later writes",
    run: using(async (store) => {
      await store.replace([flag("a", 1)]);
      const before = await store.read();
      await store.upsert(flag("a", 2));
      await store.upsert(flag("b", 1));
      assert.deepEqual(described(before), described([flag("a", 1)]));
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
