import type { Item } from "@wye/flag-evaluator";

/** The items that a store lacks or has in an older version only, by names that tell their versions as well. */
export function lackingItems(kept: readonly Item[], served: readonly Item[]): ReadonlyMap<string, Item> {
  const versions = new Map(kept.map((item) => [placeOf(item), item.version]));
  const isLacking = (item: Item) => (versions.get(placeOf(item)) ?? Number.NEGATIVE_INFINITY) < item.version;
  return new Map(served.filter(isLacking).map((item) => [`${placeOf(item)} ${item.version}`, item]));
}

function placeOf({ kind, key }: Item): string {
  return `${kind}/${key}`;
}
