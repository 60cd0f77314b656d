import type { Representation } from "./representation.js";

/** Keeps the representations that were asked for last, within a number of bytes. */
export interface RepresentationCache {
  /** The representation of a request, if it is kept and of this version. */
  get(key: string, version: string): Representation | undefined;
  set(key: string, representation: Representation): void;
}

/** What an entry costs beside its bytes and its key. */
const overhead = 500;

export function createRepresentationCache(maxBytes: number): RepresentationCache {
  /** In the order of use; sizes as they were counted, because a representation grows when it is compressed. */
  const entries = new Map<string, { readonly representation: Representation; readonly counted: number }>();
  let total = 0;

  const remove = (key: string): void => {
    total -= entries.get(key)?.counted ?? 0;
    entries.delete(key);
  };
  const put = (key: string, representation: Representation): void => {
    remove(key);
    const counted = representation.size + 2 * key.length + overhead;
    if (counted > maxBytes) return;
    entries.set(key, { representation, counted });
    total += counted;
    for (const oldest of entries.keys()) {
      if (total <= maxBytes) break;
      remove(oldest);
    }
  };

  return {
    get(key, version) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const { representation } = entry;
      if (representation.version !== version) {
        remove(key);
        return undefined;
      }
      put(key, representation);
      return representation;
    },
    set: put,
  };
}
