/** What a database takes at once. */
export interface BatchLimits<One> {
  readonly count: number;
  readonly bytes: number;
  /** How much of the bytes one takes. */
  readonly sizeOf: (one: One) => number;
}

/** Parts of a list, in its order, none of which is more than a database takes; what is too large by itself is alone. */
export function* batchesOf<One>(
  list: Iterable<One>,
  { count, bytes: maxBytes, sizeOf }: BatchLimits<One>,
): Iterable<readonly One[]> {
  let batch: One[] = [];
  let bytes = 0;
  for (const one of list) {
    const size = sizeOf(one);
    if (batch.length === count || (batch.length > 0 && bytes + size > maxBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(one);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
