import type { ItemProblem } from "./item-reader.js";

/** What a data set is made of, named as in the protocol. */
export type ItemKind = "flags" | "segments";

/** A flag, a segment, or what remains of a deleted one. */
export interface StoredItem {
  readonly key: string;
  readonly version: number;
  readonly deleted: boolean;
  /** The JSON text that it came as, with all members, also those that mean nothing here. */
  readonly json: string;
}

/** A stored item with its place in the tables of its kind. */
export interface SlottedItem extends StoredItem {
  readonly slot: number;
  readonly problems: readonly ItemProblem[];
  /** About how much it takes in the registry. */
  readonly weight: number;
}

/** What remains of a deleted item: older versions must not bring it back. */
export interface Tombstone extends SlottedItem {
  readonly deleted: true;
}
