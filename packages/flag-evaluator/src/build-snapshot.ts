import { compileFlag } from "./compile-flag.js";
import { compileSegment } from "./compile-segment.js";
import type { CompiledFlag } from "./compiled-flag.js";
import { ItemReader } from "./item-reader.js";
import type { Fields } from "./json.js";
import { nestingDepths } from "./nesting.js";
import { type ItemInput, type ReadableItem, readItem } from "./read-item.js";
import { Registry } from "./registry.js";
import type { Slots } from "./slots.js";
import type { FlagItem, SegmentItem, Snapshot } from "./snapshot.js";
import type { ItemKind, SlottedItem, Tombstone } from "./stored-item.js";

/** Items by key. Null stands for none. */
export type ItemInputs = Readonly<Record<string, ItemInput | null>>;

/** A whole data set, as upstream sends it in a put. */
export interface FlagData {
  readonly flags?: ItemInputs | undefined;
  readonly segments?: ItemInputs | undefined;
}

type Parts = Pick<Snapshot, "registry" | "maxNesting" | "flags" | "segments" | "sorted">;

/** Makes a snapshot of a whole data set. What `previous` has in the same words is not compiled again. */
export function snapshotFromData(data: FlagData, maxNesting: number, previous?: Snapshot): Snapshot {
  const registry = previous?.registry ?? new Registry();
  const flags = compileAll(data.flags, registry.flags, previous?.flags, (key, item) =>
    flagItem(registry, key, item),
  );
  const segments = compileAll(data.segments, registry.segments, previous?.segments, (key, item) =>
    segmentItem(registry, key, item),
  );
  const sorted = flags
    .filter((item) => item !== undefined)
    .filter((item) => !item.deleted)
    .sort(byKey);
  return finished({ registry, maxNesting, flags, segments, sorted });
}

/** The snapshot with one item in place of its older version; the same snapshot, if that is not older. */
export function snapshotWithItem(
  snapshot: Snapshot,
  kind: ItemKind,
  key: string,
  input: ItemInput,
): Snapshot {
  const { registry, flags, segments, sorted } = snapshot;
  const item = readItem(input);
  const current = snapshot[kind][registry[kind].of(key)];
  if (current !== undefined && current.version >= versionOf(item.fields)) return snapshot;
  if (kind === "segments") {
    return finished({ ...snapshot, segments: replaced(segments, segmentItem(registry, key, item)) });
  }
  const flag = flagItem(registry, key, item);
  return finished({ ...snapshot, flags: replaced(flags, flag), sorted: placed(sorted, flag) });
}

function compileAll<T extends SlottedItem>(
  inputs: ItemInputs | undefined,
  slots: Slots,
  previous: readonly (T | undefined)[] = [],
  compile: (key: string, item: ReadableItem) => T,
): readonly (T | undefined)[] {
  const items: (T | undefined)[] = [];
  for (const [key, input] of Object.entries(inputs ?? {})) {
    if (input === null) continue;
    const item = readItem(input);
    const slot = slots.of(key);
    const known = previous[slot];
    items[slot] = known?.json === item.json ? known : compile(key, item);
  }
  return items;
}

function flagItem(registry: Registry, key: string, item: ReadableItem): FlagItem {
  if (item.fields.deleted === true) return tombstone(registry.flags.of(key), key, item);
  const flag = compileFlag(registry, key, item);
  registry.weight += flag.weight;
  return flag;
}

function segmentItem(registry: Registry, key: string, item: ReadableItem): SegmentItem {
  if (item.fields.deleted === true) return tombstone(registry.segments.of(key), key, item);
  const segment = compileSegment(registry, key, item);
  registry.weight += segment.weight;
  return segment;
}

function tombstone(slot: number, key: string, { json, fields, reader }: ReadableItem): Tombstone {
  return { key, version: versionOf(fields), deleted: true, json, slot, problems: reader.problems, weight: 0 };
}

const versionOf = (fields: Fields): number => new ItemReader().integer(fields, "version") ?? 0;

function replaced<T extends SlottedItem>(
  items: readonly (T | undefined)[],
  item: T,
): readonly (T | undefined)[] {
  const copy = items.slice();
  copy[item.slot] = item;
  return copy;
}

const byKey = (a: CompiledFlag, b: CompiledFlag): number => (a.key < b.key ? -1 : 1);

/** The sorted flags with this one in its place, or without it if it is deleted. */
function placed(sorted: readonly CompiledFlag[], flag: FlagItem): readonly CompiledFlag[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.key ?? "") < flag.key) low = middle + 1;
    else high = middle;
  }
  return sorted.toSpliced(low, sorted[low]?.key === flag.key ? 1 : 0, ...(flag.deleted ? [] : [flag]));
}

/** Completes a snapshot. When most of the registry belongs to items that are gone, all is compiled into a new one. */
function finished(parts: Parts): Snapshot {
  const { registry, flags, segments, maxNesting } = parts;
  if (registry.weight > 10_000 + 2 * (weightOf(flags) + weightOf(segments))) {
    return snapshotFromData({ flags: inputsOf(flags), segments: inputsOf(segments) }, maxNesting);
  }
  const prerequisites = flags.map((item) => (item?.deleted === false ? item.prerequisites : []));
  const nested = segments.map((item) => (item?.deleted === false ? item.segments : []));
  const tooDeep = { flags: deeperThan(prerequisites, maxNesting), segments: deeperThan(nested, maxNesting) };
  return { ...parts, tooDeep };
}

function weightOf(items: readonly (SlottedItem | undefined)[]): number {
  return items.reduce((sum, item) => sum + (item?.weight ?? 0), 0);
}

function inputsOf(items: readonly (SlottedItem | undefined)[]): ItemInputs {
  return Object.fromEntries(items.flatMap((item) => (item === undefined ? [] : [[item.key, item.json]])));
}

/** Usually there are too few references at all to lead that deep. */
function deeperThan(references: readonly (readonly number[])[], limit: number): ReadonlySet<number> {
  const found = new Set<number>();
  if (references.filter((list) => list.length > 0).length <= limit) return found;
  for (const [slot, depth] of nestingDepths(references).entries()) if (depth > limit) found.add(slot);
  return found;
}
