/** What becomes of the items of a list: each pair is an item and its new value, one of which may be missing. */
export type Alignment = readonly (readonly [old: number | undefined, now: number | undefined])[];

/** Finds the items of one list in another, so that as few as possible change when some were added or taken out. */
export function alignLists(before: readonly unknown[], after: readonly unknown[]): Alignment {
  if (before.length === after.length) return before.map((_, index) => [index, index]);
  const pairs: [old: number | undefined, now: number | undefined][] = [];
  let [old, now] = [0, 0];
  const until = (oldEnd: number, nowEnd: number) => {
    while (old < oldEnd || now < nowEnd) {
      pairs.push([old < oldEnd ? old++ : undefined, now < nowEnd ? now++ : undefined]);
    }
  };
  for (const [same, index] of sameItems(before, after)) {
    until(same, index);
    pairs.push([old++, now++]);
  }
  until(before.length, after.length);
  return pairs;
}

/** Items of the second list that are in the first, the first that comes next each time. */
function* sameItems(before: readonly unknown[], after: readonly unknown[]): Generator<[number, number]> {
  const places = new Map<string, number[]>();
  for (let index = before.length - 1; index >= 0; index--) {
    const text = JSON.stringify(before[index]);
    const known = places.get(text);
    if (known === undefined) places.set(text, [index]);
    else known.push(index);
  }
  let next = 0;
  for (const [index, item] of after.entries()) {
    const known = places.get(JSON.stringify(item)) ?? [];
    let same = known.pop();
    while (same !== undefined && same < next) same = known.pop();
    if (same === undefined) continue;
    yield [same, index];
    next = same + 1;
  }
}
