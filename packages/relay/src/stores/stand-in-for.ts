import { type Item, tombstone } from "@wye/flag-evaluator";

/**
 * What a database gets in place of an item that it does not take: the mark of a deletion, so that nobody takes the version that was
 * kept before for the one of today. It is older than the item, which relays go on serving: none of them takes it for a deletion of that.
 */
export function standInFor({ kind, key, version }: Item): Item {
  const { MAX_SAFE_INTEGER: most } = Number;
  return tombstone(kind, key, Math.max(-most, Math.min(version - 1, most)));
}
