import type { Sliced } from "../../records/sliced.js";

/** How many items are sorted without a break. */
const runLength = 512;

/** Sorts a list, stably: runs first, which are then merged two by two. */
export function* sorted<Item>(
  list: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Sliced<readonly Item[]> {
  let runs: Item[][] = [];
  for (let from = 0; from < list.length; from += runLength) {
    runs.push(list.slice(from, from + runLength).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists; of equals those of the first come first. */
export function* merge<Item>(
  a: readonly Item[],
  b: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Sliced<Item[]> {
  const merged: Item[] = [];
  let [atA, atB] = [0, 0];
  while (atA < a.length && atB < b.length) {
    const [first, second] = [a[atA] as Item, b[atB] as Item];
    if (compare(first, second) <= 0) {
      merged.push(first);
      atA++;
    } else {
      merged.push(second);
      atB++;
    }
    if (merged.length % runLength === 0) yield;
  }
  for (; atA < a.length; atA++) {
    merged.push(a[atA] as Item);
    if (merged.length % runLength === 0) yield;
  }
  for (; atB < b.length; atB++) {
    merged.push(b[atB] as Item);
    if (merged.length % runLength === 0) yield;
  }
  return merged;
}
