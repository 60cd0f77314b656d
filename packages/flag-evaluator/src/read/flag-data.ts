import { describeType, isFields } from "../json.js";
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
export function itemsFromData(data: FlagData): readonly Item[] {
  // Programs without types pass what they like.
  const given: unknown = data;
  if (!isFields(given)) throw new TypeError(`expected { flags, segments }, got ${describeType(given)}`);
  const { flags, segments } = data;
  return [...itemsFrom("flags", flags), ...itemsFrom("segments", segments)];
}

function itemsFrom(kind: ItemKind, inputs: ItemInputs = {}): readonly Item[] {
  return Object.entries(inputs).flatMap(([key, input]) =>
    input === null ? [] : [new Item(kind, key, input)],
  );
}
