import type { Fields } from "../json.js";
import { type ClauseModel, readClause } from "./clause-model.js";
import type { ItemReader } from "./item-reader.js";
import { type ListedKeys, readListedKeys } from "./listed-keys.js";

/** A flag as upstream writes it, with the defaults filled in. Indexes and weights are as they came, valid or not. */
export interface FlagModel {
  readonly version: number;
  readonly on: boolean;
  readonly prerequisites: readonly PrerequisiteModel[];
  readonly targets: readonly TargetModel[];
  readonly contextTargets: readonly TargetModel[];
  readonly rules: readonly RuleModel[];
  readonly fallthrough: VariationOrRollout;
  readonly offVariation: number | undefined;
  readonly variations: readonly unknown[];
  readonly usingMobileKey: boolean;
  readonly usingEnvironmentId: boolean;
  readonly salt: string;
  readonly trackEvents: boolean;
  readonly trackEventsFallthrough: boolean;
  /** Milliseconds since 1970; 0 means never. */
  readonly debugEventsUntilDate: number;
}

/** Another flag that must be on and give that variation. */
export interface PrerequisiteModel {
  readonly key: string;
  readonly variation: number;
}

/** Keys of one kind that get that variation. */
export interface TargetModel extends ListedKeys {
  readonly variation: number;
}

/** A variation, or a rollout over several; malformed flags have neither. */
export interface VariationOrRollout {
  readonly variation: number | undefined;
  readonly rollout: RolloutModel | undefined;
}

/** Clauses that must all match, and what follows then. */
export interface RuleModel extends VariationOrRollout {
  readonly id: string;
  readonly clauses: readonly ClauseModel[];
  readonly trackEvents: boolean;
}

/** Shares of contexts, in hundred-thousandths. */
export interface RolloutModel {
  readonly experiment: boolean;
  /** Empty where the flag names none: then `bucketBy` is a plain name, not a reference. */
  readonly contextKind: string;
  readonly variations: readonly WeightedVariation[];
  readonly bucketBy: string;
  readonly seed: number | undefined;
}

/** One share of a rollout. */
export interface WeightedVariation {
  readonly variation: number;
  readonly weight: number;
  readonly untracked: boolean;
}

/** Reads a flag; what cannot be read is noted by the reader. */
export function readFlag(reader: ItemReader, fields: Fields): FlagModel {
  const availability = reader.object(fields, "clientSideAvailability", (inner) => ({
    usingMobileKey: reader.boolean(inner, "usingMobileKey"),
    usingEnvironmentId: reader.boolean(inner, "usingEnvironmentId"),
  }));
  const clientSide = reader.boolean(fields, "clientSide");
  return {
    version: reader.integer(fields, "version") ?? 0,
    on: reader.boolean(fields, "on"),
    prerequisites: reader.list(fields, "prerequisites", (inner) => ({
      key: reader.string(inner, "key") ?? "",
      variation: reader.integer(inner, "variation") ?? 0,
    })),
    targets: reader.list(fields, "targets", (inner) => readTarget(reader, inner)),
    contextTargets: reader.list(fields, "contextTargets", (inner) => readTarget(reader, inner)),
    rules: reader.list(fields, "rules", (inner) => ({
      ...readVariationOrRollout(reader, inner),
      id: reader.string(inner, "id") ?? "",
      clauses: reader.list(inner, "clauses", (clause) => readClause(reader, clause)),
      trackEvents: reader.boolean(inner, "trackEvents"),
    })),
    fallthrough: reader.object(fields, "fallthrough", (inner) => readVariationOrRollout(reader, inner)) ?? {
      variation: undefined,
      rollout: undefined,
    },
    offVariation: reader.integer(fields, "offVariation"),
    variations: reader.values(fields, "variations"),
    ...(availability ?? { usingMobileKey: true, usingEnvironmentId: clientSide }),
    salt: reader.string(fields, "salt") ?? "",
    trackEvents: reader.boolean(fields, "trackEvents"),
    trackEventsFallthrough: reader.boolean(fields, "trackEventsFallthrough"),
    debugEventsUntilDate: reader.number(fields, "debugEventsUntilDate") ?? 0,
  };
}

function readTarget(reader: ItemReader, fields: Fields): TargetModel {
  return { ...readListedKeys(reader, fields), variation: reader.integer(fields, "variation") ?? 0 };
}

function readVariationOrRollout(reader: ItemReader, fields: Fields): VariationOrRollout {
  return {
    variation: reader.integer(fields, "variation"),
    rollout: reader.object(fields, "rollout", (inner) => ({
      experiment: reader.string(inner, "kind") === "experiment",
      contextKind: reader.string(inner, "contextKind") ?? "",
      variations: reader.list(inner, "variations", (share) => ({
        variation: reader.integer(share, "variation") ?? 0,
        weight: reader.integer(share, "weight") ?? 0,
        untracked: reader.boolean(share, "untracked"),
      })),
      bucketBy: reader.string(inner, "bucketBy") ?? "",
      seed: reader.integer(inner, "seed"),
    })),
  };
}
