import type { Item } from "../read/item.js";
import type { ItemProblem } from "../read/item-reader.js";

/** An item with its place in the tables of its kind. */
export interface SlottedItem {
  readonly item: Item;
  readonly deleted: boolean;
  readonly slot: number;
  readonly problems: readonly ItemProblem[];
  /** About how much it takes in the registry. */
  readonly weight: number;
}

/** What remains of a deleted item. */
export interface Tombstone extends SlottedItem {
  readonly deleted: true;
}
