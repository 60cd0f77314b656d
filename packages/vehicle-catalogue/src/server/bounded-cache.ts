/** Keeps values within a number of bytes, those that were used last. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  /** Keeps a value that takes so many bytes in memory, unless that is more than a half of what all may take. */
  set(key: string, value: Value, bytes: number): void;
}

/**
 * Makes a cache of two halves: what is used moves to the younger one, and when that is full, the older one is dropped
 * as a whole. So a use costs one look-up, and no order has to be kept.
 */
export function createBoundedCache<Value>(maxBytes: number): BoundedCache<Value> {
  interface Entry {
    readonly value: Value;
    readonly bytes: number;
  }
  const half = maxBytes / 2;
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  let youngBytes = 0;

  const put = (key: string, entry: Entry): void => {
    youngBytes += entry.bytes - (young.get(key)?.bytes ?? 0);
    if (youngBytes > half) {
      old = young;
      old.delete(key);
      young = new Map();
      youngBytes = entry.bytes;
    } else {
      old.delete(key);
    }
    young.set(key, entry);
  };

  return {
    get(key) {
      const entry = young.get(key);
      if (entry !== undefined) return entry.value;
      const aged = old.get(key);
      if (aged === undefined) return undefined;
      put(key, aged);
      return aged.value;
    },
    set(key, value, bytes) {
      if (bytes <= half) put(key, { value, bytes });
    },
  };
}
