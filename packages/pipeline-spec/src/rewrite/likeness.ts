import { isObject } from "../json-value.js";

/** What is compared of a text at either end. */
const compared = 50;

/** Beyond so many pairs, items are compared by their order alone. */
const mostPairs = 2_500;

/** A text as it is, and the members of a map or list as JSON. */
type Outline = string | ReadonlyMap<string, string> | undefined;

function outlineOf(value: unknown): Outline {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  return new Map(Object.entries(value).map(([name, member]) => [name, JSON.stringify(member)]));
}

/**
 * How much of one value is in another: from 0, where nothing is, to 1. What a map begins with is what it is called by, as a rule, and
 * counts twice.
 */
function likeness(before: Outline, after: Outline): number {
  if (before === undefined || after === undefined) return 0;
  if (typeof before === "string" || typeof after === "string") {
    return typeof before === typeof after ? likenessOfTexts(String(before), String(after)) : 0;
  }
  const [first] = before.keys();
  let alike = 0;
  for (const [name, member] of before) if (after.get(name) === member) alike += name === first ? 2 : 1;
  return alike / (Math.max(before.size, after.size) + 1);
}

function likenessOfTexts(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let front = 0;
  while (front < Math.min(most, compared) && before[front] === after[front]) front++;
  let back = 0;
  while (back < Math.min(most - front, compared) && before.at(-1 - back) === after.at(-1 - back)) back++;
  return (front + back) / Math.max(1, Math.min(Math.max(before.length, after.length), 2 * compared));
}

/** True for maps of several members that are called otherwise, by the text that they begin with, and have nothing else in common. */
export function isAnother(before: unknown, after: unknown): boolean {
  if (!isObject(before) || !isObject(after)) return false;
  const [[name, text], [newName, newText]] = [firstOf(before), firstOf(after)];
  if (name !== newName || typeof text !== "string" || typeof newText !== "string") return false;
  return Object.keys(before).length > 1 && likeness(outlineOf(before), outlineOf(after)) === 0;
}

const firstOf = (map: object): readonly [name: string | undefined, value: unknown] =>
  Object.entries(map)[0] ?? [undefined, undefined];

/** Items of two lists that are most alike, in their order. */
export function* alikeItems(
  before: readonly unknown[],
  after: readonly unknown[],
): Generator<readonly [number, number]> {
  const [height, width] = [before.length, after.length];
  if (height * width < 2 || height * width > mostPairs) return;
  const [olds, nows] = [before.map(outlineOf), after.map(outlineOf)];
  const alike = olds.map((old) => nows.map((now) => likeness(old, now)));
  // What can be had of the items from there on.
  const best = olds.map(() => new Float64Array(width + 1));
  const bestAt = (old: number, now: number): number => best[old]?.[now] ?? 0;
  const asPair = (old: number, now: number): number => (alike[old]?.[now] ?? 0) + bestAt(old + 1, now + 1);
  for (const [old, row] of [...best.entries()].reverse()) {
    for (let now = width - 1; now >= 0; now--) {
      row[now] = Math.max(asPair(old, now), bestAt(old + 1, now), bestAt(old, now + 1));
    }
  }
  let [old, now] = [0, 0];
  while (bestAt(old, now) > 0) {
    if ((alike[old]?.[now] ?? 0) > 0 && asPair(old, now) === bestAt(old, now)) yield [old++, now++];
    else if (bestAt(old + 1, now) >= bestAt(old, now + 1)) old++;
    else now++;
  }
}
