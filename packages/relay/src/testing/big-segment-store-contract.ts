import assert from "node:assert/strict";
import type { BigSegmentPatch, BigSegmentStore, MemberChanges } from "../big-segments/big-segment-store.js";
import type { ContractCase } from "./flag-store-contract.js";

const { signal } = new AbortController();
const none: MemberChanges = { add: [], remove: [] };

function patch(
  previousVersion: string,
  version: string,
  rest: Partial<BigSegmentPatch> = {},
): BigSegmentPatch {
  return { segmentId: "beta.g1", previousVersion, version, included: none, excluded: none, ...rest };
}

/** What is kept of a context, in an order of its own. */
async function listsOf(store: BigSegmentStore, hash: string): Promise<readonly (readonly string[])[]> {
  const { included, excluded } = await store.memberships(hash, signal);
  return [[...included].sort(), [...excluded].sort()];
}

/**
 * What every `BigSegmentStore` promises. In a test file of a store:
 * `for (const { name, run } of bigSegmentStoreContract) test(name, () => run(async () => createMyStore()));`
 */
export const bigSegmentStoreContract: readonly ContractCase<BigSegmentStore>[] = [
  {
    name: "a new store stands nowhere, was never in step, and knows nobody",
    run: using(async (store) => {
      assert.equal(await store.cursor(signal), undefined);
      assert.equal(await store.synchronizedOn(signal), undefined);
      assert.deepEqual(await listsOf(store, "hash="), [[], []]);
    }),
  },
  {
    name: "members enter and leave, inclusion and exclusion apart",
    run: using(async (store) => {
      const included = { add: ["a+/=", "b"], remove: [] };
      assert.equal(
        await store.apply(patch("", "v1", { included, excluded: { add: ["b"], remove: [] } }), signal),
        true,
      );
      assert.deepEqual(await listsOf(store, "a+/="), [["beta.g1"], []]);
      assert.deepEqual(await listsOf(store, "b"), [["beta.g1"], ["beta.g1"]]);
      assert.equal(
        await store.apply(patch("v1", "v2", { included: { add: [], remove: ["b"] } }), signal),
        true,
      );
      assert.deepEqual(await listsOf(store, "b"), [[], ["beta.g1"]]);
      assert.equal(
        await store.apply(patch("v2", "v3", { excluded: { add: [], remove: ["b"] } }), signal),
        true,
      );
      assert.deepEqual(await listsOf(store, "b"), [[], []]);
    }),
  },
  {
    name: "a context may be in several segments, and a generation is a segment of its own",
    run: using(async (store) => {
      const included = { add: ["a"], remove: [] };
      await store.apply(patch("", "v1", { included }), signal);
      await store.apply(patch("v1", "v2", { segmentId: "beta.g2", included }), signal);
      await store.apply(patch("v2", "v3", { segmentId: "staff.g1", excluded: included }), signal);
      await store.apply(patch("v3", "v4", { included: { add: [], remove: ["a"] } }), signal);
      assert.deepEqual(await listsOf(store, "a"), [["beta.g2"], ["staff.g1"]]);
    }),
  },
  {
    name: "a step that begins elsewhere is not taken: neither its members nor its version",
    run: using(async (store) => {
      const included = { add: ["a"], remove: [] };
      assert.equal(await store.apply(patch("v1", "v2", { included }), signal), false);
      assert.equal(await store.cursor(signal), undefined);
      await store.apply(patch("", "v1"), signal);
      for (const [from, to] of [
        ["", "v1"],
        ["v0", "v1"],
        ["v2", "v3"],
      ] as const) {
        assert.equal(await store.apply(patch(from, to, { included }), signal), false);
      }
      assert.equal(await store.cursor(signal), "v1");
      assert.deepEqual(await listsOf(store, "a"), [[], []]);
    }),
  },
  {
    name: "a step may add and remove many thousands",
    run: using(async (store) => {
      const hashes = Array.from({ length: 3000 }, (_, index) => `hash-${index}`);
      await store.apply(patch("", "v1", { included: { add: hashes, remove: [] } }), signal);
      assert.deepEqual(await listsOf(store, "hash-2999"), [["beta.g1"], []]);
      await store.apply(patch("v1", "v2", { included: { add: [], remove: hashes.slice(1) } }), signal);
      assert.deepEqual(await listsOf(store, "hash-0"), [["beta.g1"], []]);
      assert.deepEqual(await listsOf(store, "hash-2999"), [[], []]);
      assert.equal(await store.cursor(signal), "v2");
    }),
  },
  {
    name: "the time of the last step in step is kept beside the version",
    run: using(async (store) => {
      await store.setSynchronizedOn(1_700_000_000_123, signal);
      assert.equal(await store.cursor(signal), undefined);
      await store.apply(patch("", "v1"), signal);
      assert.equal(await store.synchronizedOn(signal), 1_700_000_000_123);
      await store.setSynchronizedOn(1_700_000_000_124, signal);
      assert.equal(await store.synchronizedOn(signal), 1_700_000_000_124);
      assert.equal(await store.cursor(signal), "v1");
    }),
  },
  {
    name: "versions, segments and hashes are data, whatever they look like",
    run: using(async (store) => {
      const odd = ["__proto__", "a b/ü", "$cursor:", "{x}"];
      await store.apply(
        patch("", "__proto__", { segmentId: "a:b.g1", included: { add: odd, remove: [] } }),
        signal,
      );
      for (const hash of odd) assert.deepEqual(await listsOf(store, hash), [["a:b.g1"], []]);
      assert.equal(await store.apply(patch("__proto__", "é\u2028"), signal), true);
      assert.equal(await store.cursor(signal), "é\u2028");
    }),
  },
  {
    name: "of stores that take the same step at the same time one does, and the members are those of the step",
    run: using(async (first, stores) => {
      for (let step = 1; step <= 20; step++) {
        const [enters, leaves] = [`hash-${step}`, `hash-${step - 1}`];
        const change = patch(step === 1 ? "" : `v${step - 1}`, `v${step}`, {
          included: { add: [enters, "all"], remove: [leaves] },
        });
        const taken = await Promise.all(stores.map((store) => store.apply(change, signal)));
        assert.equal(taken.filter(Boolean).length, 1);
        assert.equal(await first.cursor(signal), `v${step}`);
        for (const [hash, included] of [
          [enters, ["beta.g1"]],
          ["all", ["beta.g1"]],
          [leaves, []],
        ] as const)
          assert.deepEqual(await listsOf(first, hash), [included, []]);
      }
    }),
  },
];

function using(
  check: (store: BigSegmentStore, stores: readonly BigSegmentStore[]) => Promise<void>,
): ContractCase<BigSegmentStore>["run"] {
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
