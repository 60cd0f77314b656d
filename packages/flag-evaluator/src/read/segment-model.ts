import type { Fields } from "../json.js";
import { type ClauseModel, readClause } from "./clause-model.js";
import type { ItemReader } from "./item-reader.js";
import { type ListedKeys, readListedKeys } from "./listed-keys.js";

/** A segment as upstream writes it, with the defaults filled in. */
export interface SegmentModel {
  readonly version: number;
  /** Keys of users. */
  readonly included: readonly string[];
  readonly excluded: readonly string[];
  readonly includedContexts: readonly ListedKeys[];
  readonly excludedContexts: readonly ListedKeys[];
  readonly salt: string;
  readonly rules: readonly SegmentRuleModel[];
  /** A big segment: its members are kept elsewhere and handed in for each evaluation. */
  readonly unbounded: boolean;
  readonly unboundedContextKind: string;
  readonly generation: number | undefined;
}

/** Clauses that must all match; with a weight, only for that share of contexts. */
export interface SegmentRuleModel {
  readonly id: string;
  readonly clauses: readonly ClauseModel[];
  readonly weight: number | undefined;
  readonly bucketBy: string;
  readonly rolloutContextKind: string;
}

/** Reads a segment; what cannot be read is noted by the reader. */
export function readSegment(reader: ItemReader, fields: Fields): SegmentModel {
  return {
    version: reader.integer(fields, "version") ?? 0,
    included: reader.strings(fields, "included"),
    excluded: reader.strings(fields, "excluded"),
    includedContexts: reader.list(fields, "includedContexts", (inner) => readListedKeys(reader, inner)),
    excludedContexts: reader.list(fields, "excludedContexts", (inner) => readListedKeys(reader, inner)),
    salt: reader.string(fields, "salt") ?? "",
    rules: reader.list(fields, "rules", (inner) => ({
      id: reader.string(inner, "id") ?? "",
      clauses: reader.list(inner, "clauses", (clause) => readClause(reader, clause)),
      weight: reader.integer(inner, "weight"),
      bucketBy: reader.string(inner, "bucketBy") ?? "",
      rolloutContextKind: reader.string(inner, "rolloutContextKind") ?? "",
    })),
    unbounded: reader.boolean(fields, "unbounded"),
    unboundedContextKind: reader.string(fields, "unboundedContextKind") || "user",
    generation: reader.integer(fields, "generation"),
  };
}
