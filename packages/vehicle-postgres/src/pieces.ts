import { setImmediate } from "node:timers/promises";

/** A list in pieces, between which everything else gets its turn. */
export async function* pieces<Item>(
  list: readonly Item[],
  size: number,
): AsyncGenerator<readonly Item[], void, undefined> {
  for (let from = 0; from < list.length; from += size) {
    if (from > 0) await setImmediate();
    yield list.slice(from, from + size);
  }
}
