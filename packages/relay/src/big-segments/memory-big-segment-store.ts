import type { BigSegmentStore, BigSegmentStoreFactory, MemberChanges } from "./big-segment-store.js";

/** Keeps memberships as long as the process lives: for tests, and where a database is too much. */
export const memoryBigSegmentStore: BigSegmentStoreFactory = () => {
  const included = new Map<string, Set<string>>();
  const excluded = new Map<string, Set<string>>();
  let cursor: string | undefined;
  let synchronizedOn: number | undefined;

  function change(lists: Map<string, Set<string>>, segmentId: string, { add, remove }: MemberChanges): void {
    for (const hash of add) lists.set(hash, (lists.get(hash) ?? new Set()).add(segmentId));
    for (const hash of remove) {
      const list = lists.get(hash);
      list?.delete(segmentId);
      if (list?.size === 0) lists.delete(hash);
    }
  }

  return {
    async cursor() {
      return cursor;
    },
    async apply(patch) {
      if (patch.previousVersion !== (cursor ?? "")) return false;
      change(included, patch.segmentId, patch.included);
      change(excluded, patch.segmentId, patch.excluded);
      cursor = patch.version;
      return true;
    },
    async synchronizedOn() {
      return synchronizedOn;
    },
    async setSynchronizedOn(timeMs) {
      synchronizedOn = timeMs;
    },
    async memberships(hash) {
      return { included: [...(included.get(hash) ?? [])], excluded: [...(excluded.get(hash) ?? [])] };
    },
    async close() {},
  } satisfies BigSegmentStore;
};
