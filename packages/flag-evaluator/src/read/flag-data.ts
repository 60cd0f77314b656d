import { Item, type ItemKind } from "./item.js";
import type { ItemInput } from "./read-item.js";

/** Items by key. Null stands for none. */
export type ItemInputs = Readonly<Record<string, ItemInput | null>>;

/** A whole data set, as upstream sends it in a put. */
export interface FlagData {
  readonly flags?: ItemInputs | undefined;
  readonly segments?: ItemInputs | undefined;
}

/** The items of a data set. */
export function itemsFromData({ flags, segments }: FlagData): readonly Item[] {
  return [...itemsFrom("flags", flags), ...itemsFrom("segments", segments)];
}

function itemsFrom(kind: ItemKind, inputs: ItemInputs = {}): readonly Item[] {
  return Object.entries(inputs).flatMap(([key, input]) =>
    input === null ? [] : [new Item(kind, key, input)],
  );
}
