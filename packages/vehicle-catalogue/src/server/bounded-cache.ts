/** Keeps values within a number of bytes, those that were used last. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  /** Keeps a value, unless it takes more than a half of what all may take. */
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/**
 * Makes a cache of two halves: what is used moves to the younger one, and when that is full, the older one is dropped
 * as a whole. So a use costs one look-up, and no order has to be kept. `sizeOf` says how many bytes an entry takes; for a
 * value that grows it may say more later.
 */
export function createBoundedCache<Value>(
  maxBytes: number,
  sizeOf: (key: string, value: Value) => number,
): BoundedCache<Value> {
  interface Entry {
    readonly value: Value;
    readonly bytes: number;
  }
  const half = maxBytes / 2;
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  let youngBytes = 0;

  const put = (key: string, value: Value): void => {
    const bytes = sizeOf(key, value);
    old.delete(key);
    youngBytes -= young.get(key)?.bytes ?? 0;
    if (bytes > half) {
      young.delete(key);
      return;
    }
    if (youngBytes + bytes > half) {
      young.delete(key);
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    youngBytes += bytes;
    young.set(key, { value, bytes });
  };

  return {
    get(key) {
      const entry = young.get(key);
      if (entry === undefined) {
        const aged = old.get(key);
        if (aged !== undefined) put(key, aged.value);
        return aged?.value;
      }
      if (entry.bytes !== sizeOf(key, entry.value)) put(key, entry.value);
      return entry.value;
    },
    set: put,
    delete(key) {
      youngBytes -= young.get(key)?.bytes ?? 0;
      young.delete(key);
      old.delete(key);
    },
  };
}
