import { Item } from "../read/item.js";
import type { Steps } from "../steps.js";
import { compileFlag } from "./compile-flag.js";
import { compileSegment } from "./compile-segment.js";
import type { CompiledFlag } from "./compiled-flag.js";
import { nestingDepths } from "./nesting.js";
import { Registry } from "./registry.js";
import type { SlottedItem, Tombstone } from "./slotted-item.js";
import { type FlagItem, NO_FLAG, type SegmentItem, type Snapshot } from "./snapshot.js";

/** Several flags and segments that change at once. */
export interface ItemChange {
  /** `full`: these and no others exist from now on, whatever their versions. `partial`: each that is newer takes its place. */
  readonly extent: "full" | "partial";
  /**
   * Of several with one kind and key the last counts; with `partial` the newest does, and the first of those that are as new: as if
   * they had come one after another.
   */
  readonly items: Iterable<Item>;
}

type Parts = Pick<Snapshot, "registry" | "maxNesting" | "flags" | "segments" | "sorted">;

/**
 * Makes a snapshot of a whole data set. What `previous` has in the same words is not compiled again; if all is, and
 * nothing else, the result is `previous`.
 */
export function* snapshotFromItems(
  items: Iterable<Item>,
  maxNesting: number,
  previous?: Snapshot,
): Steps<Snapshot> {
  const all = lastOfEach(items);
  if (previous !== undefined && isSame(previous, all)) return previous;
  const registry = previous?.registry ?? new Registry();
  const flags: (FlagItem | undefined)[] = [];
  const segments: (SegmentItem | undefined)[] = [];
  for (const item of all) {
    const slot = registry[item.kind].of(item.key);
    const same = previous !== undefined && isLike(item, slottedIn(previous, item));
    if (item.kind === "flags") flags[slot] = same ? previous.flags[slot] : yield* flagItem(registry, item);
    else segments[slot] = same ? previous.segments[slot] : yield* segmentItem(registry, item);
  }
  const sorted = flags
    .filter((item) => item !== undefined)
    .filter((item) => !item.deleted)
    .sort(byKey);
  return yield* finished({ registry, maxNesting, flags, segments, sorted });
}

/** The snapshot with each item in place of its older version; the same snapshot, if none is newer. */
export function* snapshotWithItems(snapshot: Snapshot, items: Iterable<Item>): Steps<Snapshot> {
  const { registry } = snapshot;
  const newer = newest(items).filter(
    (item) => item.version > (slottedIn(snapshot, item)?.item.version ?? -Infinity),
  );
  if (newer.length === 0) return snapshot;
  const flags = [...snapshot.flags];
  const segments = [...snapshot.segments];
  const sorted = [...snapshot.sorted];
  for (const item of newer) {
    if (item.kind === "segments") {
      const segment = yield* segmentItem(registry, item);
      segments[segment.slot] = segment;
    } else {
      const flag = yield* flagItem(registry, item);
      flags[flag.slot] = flag;
      place(sorted, flag);
    }
  }
  return yield* finished({ ...snapshot, flags, segments, sorted });
}

function isSame(snapshot: Snapshot, items: readonly Item[]): boolean {
  const count = (list: readonly unknown[]) => list.reduce((sum: number, one) => sum + (one ? 1 : 0), 0);
  return (
    items.length === count(snapshot.flags) + count(snapshot.segments) &&
    items.every((item) => isLike(item, slottedIn(snapshot, item)))
  );
}

/** Whether an item says what one says that is there. The text of one that cannot be read is gone, and says nothing. */
function isLike({ json, version, fault }: Item, there: SlottedItem | undefined): boolean {
  return there?.item.json === json && there.item.version === version && there.item.fault === fault;
}

function slottedIn({ registry, ...items }: Snapshot, { kind, key }: Item): SlottedItem | undefined {
  const slot = registry[kind].find(key);
  return slot === undefined ? undefined : items[kind][slot];
}

/** Of items with one kind and key the last. */
function lastOfEach(items: Iterable<Item>): readonly Item[] {
  return byName(items, () => true);
}

/** Of items with one kind and key the newest, as if they had come one after the other. */
function newest(items: Iterable<Item>): readonly Item[] {
  return byName(items, (known, item) => item.version > known.version);
}

function byName(items: Iterable<Item>, replaces: (known: Item, item: Item) => boolean): readonly Item[] {
  const found = { flags: new Map<string, Item>(), segments: new Map<string, Item>() };
  for (const item of items) {
    if (!(item instanceof Item)) throw new TypeError("expected items made by parseItem or tombstone");
    const known = found[item.kind].get(item.key);
    if (known === undefined || replaces(known, item)) found[item.kind].set(item.key, item);
  }
  return [...found.flags.values(), ...found.segments.values()];
}

function* flagItem(registry: Registry, item: Item): Steps<FlagItem> {
  yield perItem + item.json.length;
  if (item.deleted) return tombstoneIn(registry, item);
  const flag = yield* compileFlag(registry, item);
  registry.weight += flag.weight;
  return flag;
}

/** What it takes to compile the smallest item. */
const perItem = 512;

function* segmentItem(registry: Registry, item: Item): Steps<SegmentItem> {
  yield perItem + item.json.length;
  if (item.deleted) return tombstoneIn(registry, item);
  const segment = yield* compileSegment(registry, item);
  registry.weight += segment.weight;
  return segment;
}

function tombstoneIn(registry: Registry, item: Item): Tombstone {
  const slot = registry[item.kind].of(item.key);
  return { item, deleted: true, slot, problems: item.read().reader.problems, weight: 0 };
}

const byKey = (a: CompiledFlag, b: CompiledFlag): number => (a.item.key < b.item.key ? -1 : 1);

/** Puts a flag in its place among the sorted ones, or takes it out if it is deleted. */
function place(sorted: CompiledFlag[], flag: FlagItem): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.item.key ?? "") < flag.item.key) low = middle + 1;
    else high = middle;
  }
  const there = sorted[low]?.item.key === flag.item.key ? 1 : 0;
  sorted.splice(low, there, ...(flag.deleted ? [] : [flag]));
}

/** Completes a snapshot. When most of the registry belongs to items that are gone, all is compiled into a new one. */
function* finished(parts: Parts): Steps<Snapshot> {
  const { registry, flags, segments, maxNesting } = parts;
  if (registry.weight > 10_000 + 2 * (weightOf(flags) + weightOf(segments))) {
    const items = [...flags, ...segments].flatMap((slotted) => slotted?.item ?? []);
    return yield* snapshotFromItems(items, maxNesting);
  }
  const prerequisites = flags.map((item) => (item?.deleted === false ? item.prerequisites : undefined));
  const nested = segments.map((item) => (item?.deleted === false ? item.segments : undefined));
  const tooDeep = { flags: deeperThan(prerequisites, maxNesting), segments: deeperThan(nested, maxNesting) };
  const places = new Int32Array(flags.length).fill(NO_FLAG);
  for (const { slot, code } of parts.sorted) places[slot] = code;
  return { ...parts, places, tooDeep };
}

function weightOf(items: readonly (SlottedItem | undefined)[]): number {
  return items.reduce((sum, item) => sum + (item?.weight ?? 0), 0);
}

/** Usually there are too few references at all to lead that deep. */
function deeperThan(
  references: readonly (readonly number[] | undefined)[],
  limit: number,
): ReadonlySet<number> {
  const found = new Set<number>();
  if (references.filter((list) => list !== undefined && list.length > 0).length <= limit) return found;
  for (const [slot, depth] of nestingDepths(references).entries()) if (depth > limit) found.add(slot);
  return found;
}
