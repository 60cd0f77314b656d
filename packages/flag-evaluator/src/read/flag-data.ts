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
  const names = Object.keys(given);
  if (names.length > 0 && !("flags" in given) && !("segments" in given)) {
    const hint = isFields(given.data) ? ': give what stands under "data"' : "";
    const list = names.slice(0, 3).map((name) => JSON.stringify(name));
    throw new TypeError(`expected { flags, segments }, got neither, but ${list.join(", ")}${hint}`);
  }
  return [...itemsFrom("flags", flags), ...itemsFrom("segments", segments)];
}

function itemsFrom(kind: ItemKind, inputs: ItemInputs = {}): readonly Item[] {
  if (!isFields(inputs) || inputs instanceof Map) {
    const given = inputs instanceof Map ? "a Map" : describeType(inputs);
    throw new TypeError(`${kind} must be an object with an item for each key, not ${given}`);
  }
  return Object.entries(inputs).flatMap(([key, input]) =>
    input === null ? [] : [new Item(kind, key, input)],
  );
}
