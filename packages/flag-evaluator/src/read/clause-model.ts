import type { Fields } from "../json.js";
import type { ItemReader } from "./item-reader.js";

/** One test of a context, as upstream writes it. */
export interface ClauseModel {
  /** Empty where the clause names none: then `attribute` is a plain name, not a reference. */
  readonly contextKind: string;
  readonly attribute: string;
  readonly op: string;
  readonly values: readonly unknown[];
  readonly negate: boolean;
}

/** Reads a clause of a flag's or a segment's rule. */
export function readClause(reader: ItemReader, fields: Fields): ClauseModel {
  return {
    contextKind: reader.string(fields, "contextKind") ?? "",
    attribute: reader.string(fields, "attribute") ?? "",
    op: reader.string(fields, "op") ?? "",
    values: reader.values(fields, "values"),
    negate: reader.boolean(fields, "negate"),
  };
}
