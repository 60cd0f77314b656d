import { RelayError } from "../error.js";
import type { BigSegmentStore } from "./big-segment-store.js";

/**
 * A store at a place that has the memberships of another environment: it fails until somebody has emptied that. Nobody can tell there which ones
 * are whose, and upstream has nothing that leads on from them. `emptied` is called once.
 */
export function unlessOfOthers(store: BigSegmentStore, emptied: () => void): BigSegmentStore {
  let isEmpty = false;
  async function unless<Result>(signal: AbortSignal, ask: () => Promise<Result>): Promise<Result> {
    if (!isEmpty) {
      // Databases say null for what they do not have.
      if (((await store.cursor(signal)) ?? undefined) !== undefined)
        throw new RelayError(
          "store_failed",
          "it has the memberships of another environment (empty that place, or choose another one)",
        );
      // Another one may have asked meanwhile.
      if (!isEmpty) emptied();
      isEmpty = true;
    }
    return await ask();
  }
  const { about, timeoutMs } = store;
  return {
    ...(about === undefined ? {} : { about }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    cursor: (signal) => unless(signal, () => store.cursor(signal)),
    apply: (patch, signal) => unless(signal, () => store.apply(patch, signal)),
    synchronizedOn: (signal) => unless(signal, () => store.synchronizedOn(signal)),
    setSynchronizedOn: (timeMs, signal) => unless(signal, () => store.setSynchronizedOn(timeMs, signal)),
    memberships: (hash, signal) => unless(signal, () => store.memberships(hash, signal)),
    close: () => store.close(),
  };
}
