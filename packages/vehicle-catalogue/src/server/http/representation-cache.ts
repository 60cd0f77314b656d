import { createBoundedCache } from "../bounded-cache.js";
import type { Representation } from "./representation.js";

/** Keeps the representations that were asked for last, within a number of bytes. */
export interface RepresentationCache {
  /** Whether it keeps anything. What is to be kept has to be of bytes: a text may hold on to all that it was put together from. */
  readonly keeps: boolean;
  /** The representation of a request, if it is kept and of this version. */
  get(key: string, version: string): Representation | undefined;
  set(key: string, representation: Representation): void;
}

/** What an entry takes beside its bytes and its key: measured, because most of it is not ours to see. */
const overhead = 900;

/** Makes a cache of so many bytes; of none, one that keeps nothing. */
export function createRepresentationCache(maxBytes: number): RepresentationCache {
  if (maxBytes === 0) return { keeps: false, get: () => undefined, set: () => {} };
  const cache = createBoundedCache<Representation>(
    maxBytes,
    (key, { size }) => size + 2 * key.length + overhead,
  );
  return {
    keeps: true,
    get(key, version) {
      const kept = cache.get(key);
      return kept?.version === version ? kept : undefined;
    },
    set: cache.set,
  };
}
