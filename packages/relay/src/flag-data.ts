/** The two kinds of things that upstream sends. */
export type ItemKind = "flags" | "segments";

/** A flag or segment as it was received, or the mark that one was deleted. */
export interface Item {
  readonly key: string;
  readonly version: number;
  /** True for a tombstone: it keeps older versions from coming back. */
  readonly deleted: boolean;
  /** The JSON text as upstream sent it, on one line; unknown properties are still in it. */
  readonly json: string;
}

/** All flags and segments of an environment, tombstones included. */
export interface FlagData {
  readonly flags: ReadonlyMap<string, Item>;
  readonly segments: ReadonlyMap<string, Item>;
}

/** What happens to the flags of an environment. */
export type Change =
  | { readonly kind: "put"; readonly data: FlagData }
  | { readonly kind: "item"; readonly itemKind: ItemKind; readonly item: Item };

/** The mark that an item was deleted. */
export function tombstone(key: string, version: number): Item {
  return { key, version, deleted: true, json: JSON.stringify({ key, version, deleted: true }) };
}
