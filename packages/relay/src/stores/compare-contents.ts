import type { Item } from "@wye/flag-evaluator";

/** How what a store has differs from what is served. */
export interface Difference {
  /** What the store lacks, or has in an older version only, by names that tell their versions as well. */
  readonly lacking: ReadonlyMap<string, Item>;
  /** Those of which it has an older version. */
  readonly older: readonly Item[];
  /** Whether it has what is not served, and is not known to be deleted either. */
  readonly hasMore: boolean;
}

/** Compares what a store has with what is served. */
export function compareContents(kept: readonly Item[], served: readonly Item[]): Difference {
  const versions = new Map(kept.map((item) => [placeOf(item), item.version]));
  const lacking = new Map<string, Item>();
  const older: Item[] = [];
  for (const item of served) {
    const place = placeOf(item);
    const version = versions.get(place);
    if (version !== undefined && version >= item.version) continue;
    lacking.set(`${place} ${item.version}`, item);
    if (version !== undefined) older.push(item);
  }
  const alive = kept.filter(({ deleted }) => !deleted);
  return { lacking, older, hasMore: knownOf(alive, served).length < alive.length };
}

/** The items of which some version is served, or known to be deleted. */
export function knownOf(items: readonly Item[], served: readonly Item[]): readonly Item[] {
  const places = new Set(served.map(placeOf));
  return items.filter((item) => places.has(placeOf(item)));
}

/** What tells an item from others. */
export function placeOf({ kind, key }: Item): string {
  return `${kind}/${key}`;
}
