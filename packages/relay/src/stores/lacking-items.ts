import type { Item } from "@wye/flag-evaluator";

/** Names, with their versions, the items that a store lacks or has in an older version only. */
export function lackingItems(kept: readonly Item[], served: readonly Item[]): ReadonlySet<string> {
  const versions = new Map(kept.map((item) => [placeOf(item), item.version]));
  const lacking = served.filter(
    (item) => (versions.get(placeOf(item)) ?? Number.NEGATIVE_INFINITY) < item.version,
  );
  return new Set(lacking.map((item) => `${placeOf(item)} ${item.version}`));
}

function placeOf({ kind, key }: Item): string {
  return `${kind}/${key}`;
}
