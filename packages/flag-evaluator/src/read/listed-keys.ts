import type { Fields } from "../json.js";
import type { ItemReader } from "./item-reader.js";

/** Keys of one kind, as flags and segments list them. */
export interface ListedKeys {
  readonly contextKind: string;
  readonly values: readonly string[];
}

/** Reads a list of keys. Without a kind they are those of users. */
export function readListedKeys(reader: ItemReader, fields: Fields): ListedKeys {
  return {
    contextKind: reader.string(fields, "contextKind") || "user",
    values: reader.strings(fields, "values"),
  };
}
