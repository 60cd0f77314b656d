import type { Representation } from "./representation.js";

/** Keeps the representations that were asked for last, within a number of bytes. */
export interface RepresentationCache {
  /** The representation of a request, if it is kept and of this version. */
  get(key: string, version: string): Representation | undefined;
  set(key: string, representation: Representation): void;
}

/** What an entry costs beside its bytes and its key. */
const overhead = 500;

/** Makes a cache of so many bytes; of none, one that keeps nothing. */
export function createRepresentationCache(maxBytes: number): RepresentationCache {
  /** In the order of use; with the size that was counted, because a representation grows when it is compressed. */
  const entries = new Map<string, { representation: Representation; size: number; cost: number }>();
  let total = 0;
  let newest: string | undefined;

  const remove = (key: string): void => {
    total -= entries.get(key)?.cost ?? 0;
    entries.delete(key);
  };
  const put = (key: string, representation: Representation): void => {
    remove(key);
    const { size } = representation;
    const cost = size + 2 * key.length + overhead;
    if (cost > maxBytes) return;
    entries.set(key, { representation, size, cost });
    newest = key;
    total += cost;
    for (const oldest of entries.keys()) {
      if (total <= maxBytes) break;
      remove(oldest);
    }
  };

  return {
    get(key, version) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const { representation, size } = entry;
      if (representation.version !== version) {
        remove(key);
        return undefined;
      }
      // What is asked for again and again needs no new place in the order.
      if (key !== newest || representation.size !== size) put(key, representation);
      return representation;
    },
    set: put,
  };
}
