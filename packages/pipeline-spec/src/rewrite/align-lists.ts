import { alikeItems, isAnother } from "./likeness.js";

/** What becomes of the items of a list: each pair is an item and its new value, one of which may be missing. */
export type Alignment = readonly (readonly [old: number | undefined, now: number | undefined])[];

/** Finds the items of one list in another, so that few change when some were added, taken out, or put elsewhere. */
export function alignLists(before: readonly unknown[], after: readonly unknown[]): Alignment {
  const [olds, nows] = [before.map(asText), after.map(asText)];
  const most = Math.min(olds.length, nows.length);
  let front = 0;
  while (front < most && olds[front] === nows[front]) front++;
  let back = 0;
  while (back < most - front && olds.at(-1 - back) === nows.at(-1 - back)) back++;
  const pairs: [old: number | undefined, now: number | undefined][] = [];
  let [old, now] = [0, 0];
  const inOrder = (oldEnd: number, nowEnd: number) => {
    while (old < oldEnd || now < nowEnd) {
      pairs.push([old < oldEnd ? old++ : undefined, now < nowEnd ? now++ : undefined]);
    }
  };
  const until = (oldEnd: number, nowEnd: number) => {
    const [oldStart, nowStart] = [old, now];
    for (const [one, other] of alikeItems(before.slice(old, oldEnd), after.slice(now, nowEnd))) {
      inOrder(oldStart + one, nowStart + other);
      pairs.push([old++, now++]);
    }
    inOrder(oldEnd, nowEnd);
  };
  inOrder(front, front);
  const [oldBack, nowBack] = [olds.length - back, nows.length - back];
  for (const [same, index] of sameItems(olds.slice(front, oldBack), nows.slice(front, nowBack))) {
    until(front + same, front + index);
    pairs.push([old++, now++]);
  }
  until(oldBack, nowBack);
  inOrder(olds.length, nows.length);
  const apart = pairs.flatMap(([old, now]): Alignment => {
    const isReplaced = old !== undefined && now !== undefined && isAnother(before[old], after[now]);
    return isReplaced
      ? [
          [old, undefined],
          [undefined, now],
        ]
      : [[old, now]];
  });
  // Something has to stay for others to come and go beside it.
  return apart.some(([old, now]) => old !== undefined && now !== undefined) ? apart : pairs;
}

const asText = (value: unknown): string => JSON.stringify(value);

/** Items of the second list that are in the first, the first that comes next each time. */
function* sameItems(before: readonly string[], after: readonly string[]): Generator<[number, number]> {
  const places = new Map<string, number[]>();
  for (let index = before.length - 1; index >= 0; index--) {
    const text = before[index] ?? "";
    const known = places.get(text);
    if (known === undefined) places.set(text, [index]);
    else known.push(index);
  }
  let next = 0;
  for (const [index, item] of after.entries()) {
    const known = places.get(item) ?? [];
    let same = known.pop();
    while (same !== undefined && same < next) same = known.pop();
    if (same === undefined) continue;
    yield [same, index];
    next = same + 1;
  }
}
