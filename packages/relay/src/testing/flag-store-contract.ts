import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { type Item, parseItem, tombstone } from "@wye/flag-evaluator";
import type { FlagStore } from "../stores/flag-store.js";

/** One promise of a seam, as a test that any runner can run. */
export interface ContractCase<Subject> {
  readonly name: string;
  /**
   * Rejects with an `AssertionError` when the promise is broken. `create` gives a new, empty one each time, or several
   * that share a new, empty place, as those of relays beside each other do: then it is seen what they do to each other.
   */
  readonly run: (create: () => Promise<Subject | readonly Subject[]>) => Promise<void>;
}

function flag(key: string, version: number, rest: object = {}): Item {
  return parseItem("flags", key, JSON.stringify({ key, version, ...rest }));
}

function segment(key: string, version: number): Item {
  return parseItem("segments", key, JSON.stringify({ key, version }));
}

/** Somebody who waits as long as it takes, for as many things as there are. */
const waiting = new AbortController().signal;
setMaxListeners(0, waiting);

/** What a store gives, in no particular order. */
async function contents(store: FlagStore): Promise<readonly string[] | undefined> {
  return described(await store.read(waiting));
}

/** Of a tombstone only the version counts: stores have their own ways to write one. */
function described(items: readonly Item[] | undefined): readonly string[] | undefined {
  return items
    ?.map(({ kind, key, version, deleted, json }) =>
      JSON.stringify([kind, key, version, deleted ? "deleted" : json]),
    )
    .sort();
}

/**
 * What every `FlagStore` promises. In a test file of a store:
 * `for (const { name, run } of flagStoreContract) test(name, () => run(async () => createMyStore()));`
 *
 * A store that several relays may share gives several at a time: `run(async () => [createMyStore(place), createMyStore(place)])`.
 */
export const flagStoreContract: readonly ContractCase<FlagStore>[] = [
  {
    name: "a new store has nothing to read",
    run: using(async (store) => assert.equal(await store.read(waiting), undefined)),
  },
  {
    name: "an empty set is not the same as no set",
    run: using(async (store) => {
      await store.replace([], waiting);
      assert.deepEqual(await contents(store), []);
    }),
  },
  {
    name: "what was written is read: text, tombstones, both kinds, the same key in both",
    run: using(async (store) => {
      const all = [flag("a", 1, { é: "\u2028😀", n: 1e21 }), tombstone("flags", "gone", 3), segment("a", 9)];
      await store.replace(all, waiting);
      assert.deepEqual(await contents(store), described(all));
    }),
  },
  {
    name: "a new set replaces the old one, lower versions included",
    run: using(async (store) => {
      await store.replace([flag("a", 5), flag("b", 1), segment("s", 4)], waiting);
      await store.replace([flag("a", 2)], waiting);
      assert.deepEqual(await contents(store), described([flag("a", 2)]));
    }),
  },
  {
    name: "a greater version is kept; an equal or lower one is not",
    run: using(async (store) => {
      await store.replace([flag("a", 2)], waiting);
      assert.equal((await store.upsert([flag("a", 2, { late: true })], waiting)).length, 1);
      assert.equal((await store.upsert([flag("a", 1)], waiting)).length, 1);
      assert.deepEqual(await store.upsert([flag("a", 3, { new: true })], waiting), []);
      assert.deepEqual(await contents(store), described([flag("a", 3, { new: true })]));
    }),
  },
  {
    name: "an unknown item is added, to its kind only",
    run: using(async (store) => {
      await store.replace([], waiting);
      assert.deepEqual(await store.upsert([segment("s", 1)], waiting), []);
      assert.deepEqual(await contents(store), described([segment("s", 1)]));
    }),
  },
  {
    name: "a tombstone keeps older versions out and gives way to a newer one",
    run: using(async (store) => {
      await store.replace([flag("a", 2)], waiting);
      assert.deepEqual(await store.upsert([tombstone("flags", "a", 5)], waiting), []);
      assert.equal((await store.upsert([flag("a", 4)], waiting)).length, 1);
      assert.deepEqual(
        (await store.read(waiting))?.map(({ deleted }) => deleted),
        [true],
      );
      assert.deepEqual(await store.upsert([flag("a", 6)], waiting), []);
      assert.deepEqual(
        (await store.read(waiting))?.map(({ deleted }) => deleted),
        [false],
      );
    }),
  },
  {
    name: "items before the first full set do not make a full set",
    run: using(async (store) => {
      assert.deepEqual(await store.upsert([flag("a", 1)], waiting), []);
      assert.equal((await store.upsert([flag("a", 1)], waiting)).length, 1);
      assert.equal(await store.read(waiting), undefined);
    }),
  },
  {
    name: "keys are data, whatever they look like",
    run: using(async (store) => {
      const odd = ["__proto__", "constructor", "a b/ü", "$inited", "", ":", "a:b"];
      await store.replace(
        odd.map((key, index) => flag(key, index + 1)),
        waiting,
      );
      assert.deepEqual((await store.read(waiting))?.map(({ key }) => key).sort(), [...odd].sort());
    }),
  },
  {
    name: "what was read does not change by later writes",
    run: using(async (store) => {
      await store.replace([flag("a", 1)], waiting);
      const before = await store.read(waiting);
      await store.upsert([flag("a", 2)], waiting);
      await store.upsert([flag("b", 1)], waiting);
      assert.deepEqual(described(before), described([flag("a", 1)]));
    }),
  },
  {
    name: "what is kept in place of an item that is not newer is given back",
    run: using(async (store) => {
      const kept = [flag("a", 5, { kept: true }), tombstone("flags", "gone", 7), segment("a", 2)];
      await store.replace(kept, waiting);
      const given = [flag("a", 5), flag("gone", 6), segment("a", 1), flag("new", 1)];
      assert.deepEqual(described(await store.upsert(given, waiting)), described(kept));
      assert.deepEqual(await contents(store), described([...kept, flag("new", 1)]));
    }),
  },
  {
    name: "of several items each counts for itself",
    run: using(async (store) => {
      await store.replace([flag("a", 1), flag("b", 5), segment("s", 1)], waiting);
      const rest = await store.upsert(
        [flag("a", 2), flag("b", 4), segment("s", 2), segment("a", 1)],
        waiting,
      );
      assert.deepEqual(described(rest), described([flag("b", 5)]));
      assert.deepEqual(
        await contents(store),
        described([flag("a", 2), flag("b", 5), segment("s", 2), segment("a", 1)]),
      );
      assert.deepEqual(await store.upsert([], waiting), []);
    }),
  },
  {
    name: "versions are numbers, not texts, up to the largest whole one",
    run: using(async (store) => {
      await store.replace([flag("a", 9), flag("zero", 0)], waiting);
      for (const version of [10, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER])
        assert.deepEqual(await store.upsert([flag("a", version)], waiting), [], String(version));
      assert.equal((await store.upsert([flag("a", 10)], waiting))[0]?.version, Number.MAX_SAFE_INTEGER);
      assert.deepEqual(await store.upsert([flag("zero", 1)], waiting), []);
    }),
  },
  {
    name: "what a new set does not have is gone: an item of any version can be added again",
    run: using(async (store) => {
      await store.replace([flag("a", 9), tombstone("flags", "gone", 9)], waiting);
      await store.replace([], waiting);
      assert.deepEqual(await store.upsert([flag("a", 1), flag("gone", 1)], waiting), []);
      assert.deepEqual(await contents(store), described([flag("a", 1), flag("gone", 1)]));
    }),
  },
  {
    name: "thousands of items and large ones are kept whole",
    run: using(async (store) => {
      const many = Array.from({ length: 3000 }, (_, index) => flag(`flag-${index}`, index));
      const all = [...many, flag("large", 1, { salt: "ü".repeat(100_000) }), segment("large", 1)];
      await store.replace(all, waiting);
      assert.deepEqual(await contents(store), described(all));
      const next = many.map(({ key, version }) => flag(key, version + 1));
      assert.deepEqual(await store.upsert(next, waiting), []);
      assert.equal((await store.read(waiting))?.length, all.length);
    }),
  },
  {
    name: "if asked whether a full set is there, the store knows",
    run: using(async (store) => {
      const isFilled = async () => (await store.isFilled?.(waiting)) ?? "not asked";
      const asked = store.isFilled !== undefined;
      assert.equal(await isFilled(), asked ? false : "not asked");
      await store.upsert([flag("a", 1)], waiting);
      assert.equal(await isFilled(), asked ? false : "not asked");
      await store.replace([], waiting);
      assert.equal(await isFilled(), asked ? true : "not asked");
    }),
  },
  {
    name: "items are given as they were written, to the letter",
    run: using(async (store) => {
      const json = '{ "version" : 1,  "n": 1.0e2, "\\u0041": "\\ud800", "n": [ ] }';
      await store.replace([parseItem("flags", "a", json)], waiting);
      assert.deepEqual(
        (await store.read(waiting))?.map((item) => item.json),
        [json],
      );
    }),
  },
  {
    name: "of stores that write the same versions at the same time one does, and the others are told what it wrote",
    run: using(async (first, stores) => {
      await first.replace([], waiting);
      for (let version = 1; version <= 20; version++) {
        const writing = stores.map((store, by) =>
          store.upsert(
            [flag("a", version, { by }), segment("a", version), flag("b", version, { by })],
            waiting,
          ),
        );
        const told = (await Promise.all(writing)).flat();
        const kept = (await first.read(waiting)) ?? [];
        assert.deepEqual(
          kept.map((item) => item.version),
          [version, version, version],
        );
        const others = stores.slice(1);
        assert.deepEqual(described(told), described(kept.flatMap((item) => others.map(() => item))));
      }
    }),
  },
  {
    name: "of stores that write at the same time none loses an update: the greatest version stays",
    run: using(async (first, stores) => {
      await first.replace([], waiting);
      const versions = Array.from({ length: 31 }, (_, index) => index);
      await Promise.all(
        stores.map(async (store, by) => {
          for (const index of versions) {
            // Each store in an order of its own, with the greatest version at another time.
            const item = flag("a", 1 + (((index + by) * (by + 2)) % versions.length), { by });
            const [kept] = await store.upsert([item], waiting);
            assert.ok((kept?.version ?? item.version) >= item.version);
          }
        }),
      );
      assert.deepEqual(
        (await first.read(waiting))?.map(({ version }) => version),
        [versions.length],
      );
    }),
  },
];

function using(
  check: (store: FlagStore, stores: readonly FlagStore[]) => Promise<void>,
): ContractCase<FlagStore>["run"] {
  return async (create) => {
    const stores = [await create()].flat();
    const [first] = stores;
    assert.ok(first !== undefined, "create has to give a store");
    try {
      await check(first, stores);
    } finally {
      for (const store of stores) await store.close();
    }
  };
}
