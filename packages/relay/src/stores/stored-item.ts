import { type Item, type ItemKind, parseItem, tombstone } from "@wye/flag-evaluator";

/** The key that SDKs write into a tombstone. */
const deletedKey = "$deleted";

/** The text of an item as SDKs in daemon mode read it from a database. */
export function storedText({ version, deleted, json }: Item): string {
  return deleted ? JSON.stringify({ key: deletedKey, version, deleted: true }) : json;
}

/** Reads what a relay or an SDK has written into a database. `undefined` for what is no item: somebody else's writing. */
export function itemFromStored(kind: ItemKind, key: string, text: string): Item | undefined {
  const value = parse(text);
  if (typeof value !== "object" || value === null) return undefined;
  const version = versionIn(value, key);
  if (version === undefined) return undefined;
  if ("deleted" in value && value.deleted === true) return tombstone(kind, key, Math.trunc(version));
  return parseItem(kind, key, text);
}

/** Items that people write often have no version, which counts as 0; what does not even name itself is no item. */
function versionIn(value: object, key: string): number | undefined {
  const { version, key: name }: { readonly version?: unknown; readonly key?: unknown } = value;
  if (version === undefined || version === null) return name === key ? 0 : undefined;
  return typeof version === "number" && Number.isFinite(version) ? version : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller, who knows the place, tells of it.
    return undefined;
  }
}
