import { AssertionError } from "node:assert/strict";
import { describe, expect, test } from "vitest";
import type { BigSegmentPatch, BigSegmentStore, MemberChanges } from "../big-segments/big-segment-store.js";
import { bigSegmentStoreContract } from "./big-segment-store-contract.js";

/** How a store behaves that does what it should. */
const right = {
  fits: ({ previousVersion }: BigSegmentPatch, cursor: string | undefined): boolean =>
    previousVersion === (cursor ?? ""),
  /** What of a step is taken. */
  taken: (patch: BigSegmentPatch): BigSegmentPatch => patch,
  /** What of a step is taken that does not fit. */
  misfit: (_: BigSegmentPatch): Partial<Pick<BigSegmentPatch, "version" | "included">> => ({}),
  tells: (fits: boolean): boolean => fits,
  start: undefined as string | undefined,
  syncedFirst: undefined as number | undefined,
  synced: (_before: number | undefined, timeMs: number): number => timeMs,
  /** Whether the time is gone with the next step. */
  forgetsTime: false,
  movesWithTime: false,
  /** Whether nothing of other stores comes between looking and writing. */
  isAtomic: true,
};
type Behaviour = typeof right;

/** Two stores at one place, with a fault. */
function storesWith(fault: Partial<Behaviour>, closed = { count: 0 }): readonly BigSegmentStore[] {
  const behaviour = { ...right, ...fault };
  const lists = { included: new Map<string, Set<string>>(), excluded: new Map<string, Set<string>>() };
  let cursor = behaviour.start;
  let synchronizedOn = behaviour.syncedFirst;
  const change = (list: Map<string, Set<string>>, segmentId: string, { add, remove }: MemberChanges) => {
    for (const hash of add) list.set(hash, (list.get(hash) ?? new Set()).add(segmentId));
    for (const hash of remove) list.get(hash)?.delete(segmentId);
  };
  const create = (): BigSegmentStore => ({
    cursor: async () => cursor,
    async apply(patch) {
      const fits = behaviour.fits(patch, cursor);
      if (!behaviour.isAtomic) await new Promise(setImmediate);
      if (fits) {
        const { segmentId, included, excluded, version } = behaviour.taken(patch);
        change(lists.included, segmentId, included);
        change(lists.excluded, segmentId, excluded);
        cursor = version;
        if (behaviour.forgetsTime) synchronizedOn = undefined;
      } else {
        const { version, included } = behaviour.misfit(patch);
        cursor = version ?? cursor;
        if (included !== undefined) change(lists.included, patch.segmentId, included);
      }
      return behaviour.tells(fits);
    },
    synchronizedOn: async () => synchronizedOn,
    async setSynchronizedOn(timeMs) {
      synchronizedOn = behaviour.synced(synchronizedOn, timeMs);
      if (behaviour.movesWithTime) cursor = "now";
    },
    async memberships(hash) {
      return {
        included: [...(lists.included.get(hash) ?? [])],
        excluded: [...(lists.excluded.get(hash) ?? [])],
      };
    },
    async close() {
      closed.count++;
    },
  });
  return [create(), create()];
}

/** The promises that such a store breaks. */
async function brokenBy(fault: Partial<Behaviour>): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const { name, run } of bigSegmentStoreContract) {
    try {
      await run(async () => storesWith(fault));
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      broken.push(name);
    }
  }
  return broken;
}

const newStore = "a new store stands nowhere, was never in step, and knows nobody";
const members = "members enter and leave, inclusion and exclusion apart";
const segments = "a context may be in several segments, and a generation is a segment of its own";
const elsewhere = "a step that begins elsewhere is not taken: neither its members nor its version";
const thousands = "a step may add and remove many thousands";
const time = "the time of the last step in step is kept beside the version";
const data = "versions, segments and hashes are data, whatever they look like";
const oneDoes =
  "of stores that take the same step at the same time one does, and the members are those of the step";

test("a store that does what it should breaks none of the promises", async () => {
  expect(await brokenBy({})).toEqual([]);
  expect(bigSegmentStoreContract.map(({ name }) => name)).toEqual([
    ...[newStore, members, segments, elsewhere, thousands, time, data, oneDoes],
  ]);
});

const none: MemberChanges = { add: [], remove: [] };
const cut = ({ add, remove }: MemberChanges) => ({ add: add.slice(0, 1000), remove: remove.slice(0, 1000) });
const without = (hash: string) => (patch: BigSegmentPatch) => ({
  ...patch,
  included: { ...patch.included, add: patch.included.add.filter((one) => one !== hash) },
});

const faults: readonly (readonly [store: string, fault: Partial<Behaviour>, broken: readonly string[]])[] = [
  [
    "stands somewhere from the start",
    { start: "v0" },
    [newStore, members, segments, elsewhere, thousands, time, data, oneDoes],
  ],
  ["has the empty version from the start", { start: "" }, [newStore, elsewhere, time]],
  ["was in step from the start", { syncedFirst: 0 }, [newStore]],
  [
    "takes no members",
    { taken: (patch) => ({ ...patch, included: none }) },
    [members, segments, thousands, data, oneDoes],
  ],
  ["takes no exclusions", { taken: (patch) => ({ ...patch, excluded: none }) }, [members, segments]],
  [
    "lets nobody leave",
    { taken: (patch) => ({ ...patch, included: { ...patch.included, remove: [] } }) },
    [members, segments, thousands, oneDoes],
  ],
  [
    "excludes for ever",
    { taken: (patch) => ({ ...patch, excluded: { ...patch.excluded, remove: [] } }) },
    [members],
  ],
  [
    "lets who leaves one list leave the other",
    { taken: (patch) => ({ ...patch, excluded: { ...patch.excluded, remove: patch.included.remove } }) },
    [members],
  ],
  [
    "takes inclusion for exclusion too",
    { taken: (patch) => ({ ...patch, excluded: patch.included }) },
    [members, segments, thousands, data, oneDoes],
  ],
  [
    "takes generations for one",
    { taken: (patch) => ({ ...patch, segmentId: patch.segmentId.replace(/\d+$/, "1") }) },
    [segments],
  ],
  [
    "takes all segments for one",
    { taken: (patch) => ({ ...patch, segmentId: "beta.g1" }) },
    [segments, data],
  ],
  [
    "takes a thousand of a step",
    { taken: (patch) => ({ ...patch, included: cut(patch.included) }) },
    [thousands],
  ],
  [
    "does not move",
    { taken: (patch) => ({ ...patch, version: patch.previousVersion }) },
    [members, segments, elsewhere, thousands, time, data, oneDoes],
  ],
  ["takes every step", { fits: () => true }, [elsewhere, oneDoes]],
  [
    "takes the first step anywhere",
    { fits: (patch, cursor) => cursor === undefined || patch.previousVersion === cursor },
    [elsewhere],
  ],
  [
    "takes the first step again",
    { fits: ({ previousVersion }, cursor) => previousVersion === "" || previousVersion === cursor },
    [elsewhere, oneDoes],
  ],
  ["takes no step", { fits: () => false }, [members, segments, elsewhere, thousands, time, data, oneDoes]],
  ["says that it takes every step", { tells: () => true }, [elsewhere, oneDoes]],
  ["says that it takes none", { tells: () => false }, [members, data, oneDoes]],
  ["moves with a step that does not fit", { misfit: ({ version }) => ({ version }) }, [elsewhere]],
  [
    "takes the members of a step that does not fit",
    { misfit: ({ included }) => ({ included }) },
    [elsewhere],
  ],
  ["moves with the time", { movesWithTime: true }, [time]],
  ["forgets the time", { forgetsTime: true }, [time]],
  ["keeps the first time", { synced: (before, timeMs) => before ?? timeMs }, [time]],
  ["has seconds", { synced: (_, timeMs) => Math.floor(timeMs / 1000) * 1000 }, [time]],
  ["has ten milliseconds", { synced: (_, timeMs) => Math.floor(timeMs / 10) * 10 }, [time]],
  [
    "spoils versions",
    { taken: (patch) => ({ ...patch, version: patch.version.replaceAll(/[^\0-\xff]/g, "?") }) },
    [data],
  ],
  [
    "spoils segments",
    { taken: (patch) => ({ ...patch, segmentId: patch.segmentId.replaceAll(":", "_") }) },
    [data],
  ],
  ["loses a hash", { taken: without("b") }, [members]],
  ["lets others come between", { isAtomic: false }, [oneDoes]],
];

describe("a store breaks the promises that it does not keep, when it", () => {
  for (const [store, fault, broken] of faults)
    test(store, async () => {
      expect(await brokenBy(fault)).toEqual(broken);
    });

  test.each(["__proto__", "a b/ü", "$cursor:", "{x}"])("loses the hash %j", async (hash) => {
    expect(await brokenBy({ taken: without(hash) })).toEqual([data]);
  });
});

test("stores are closed, each of them, also when they have broken a promise", async () => {
  for (const fault of [{}, { start: "v0" }]) {
    const closed = { count: 0 };
    for (const { run } of bigSegmentStoreContract)
      await run(async () => storesWith(fault, closed)).catch((error: unknown) => {
        if (!(error instanceof AssertionError)) throw error;
      });
    expect(closed.count).toBe(2 * bigSegmentStoreContract.length);
  }
});

test("a single store may be given, but not none", async () => {
  for (const { run } of bigSegmentStoreContract) {
    const [store] = storesWith({});
    if (store === undefined) throw new Error("there is none");
    await run(async () => store);
    await expect(run(async () => [])).rejects.toThrow("create has to give a store");
  }
});

test("a promise is only kept when the stores could be closed", async () => {
  for (const { run } of bigSegmentStoreContract) {
    const stores = storesWith({}).map((store) => ({
      ...store,
      close: () => Promise.reject(new Error("it cannot be closed")),
    }));
    await expect(run(async () => stores)).rejects.toThrow("it cannot be closed");
  }
});
