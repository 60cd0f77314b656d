import type { EvaluationReason, Outcome } from "../compile/outcome.js";
import type { JsonValue } from "../json.js";

/** What one flag gives, and why. */
export interface EvaluationDetail<T = JsonValue> {
  /** The value of the variation, or the fallback; null without either. Objects are the caller's own. */
  readonly value: T;
  /** Index of the variation; undefined for none. */
  readonly variation: number | undefined;
  readonly reason: EvaluationReason;
  /** The flag's version; undefined if there is no such flag. */
  readonly version: number | undefined;
  /** Whether evaluations of this flag are to be reported one by one. */
  readonly trackEvents: boolean;
  /** Whether such reports must have the reason in them, because an experiment decided. */
  readonly trackReason: boolean;
  /** The flag's own prerequisites that were evaluated, in order; one that failed comes last. */
  readonly prerequisites: readonly string[];
}

/** The type of values that are taken when that fallback is given. */
export type ValueLike<T> = T extends boolean
  ? boolean
  : T extends number
    ? number
    : T extends string
      ? string
      : JsonValue;

const notFound: EvaluationReason = Object.freeze({ kind: "ERROR", errorKind: "FLAG_NOT_FOUND" });
const wrongType: EvaluationReason = Object.freeze({ kind: "ERROR", errorKind: "WRONG_TYPE" });

/**
 * Writes an outcome out. Without a variation the value is the fallback. So it is, with an error, when the variation is
 * not of the type of a fallback that is a boolean, a number or a string.
 */
export function detailOf(outcome: Outcome | undefined, fallback: JsonValue): EvaluationDetail {
  if (outcome === undefined) {
    const detail = { variation: undefined, version: undefined, trackEvents: false, trackReason: false };
    return { ...detail, value: fallback, reason: notFound, prerequisites: [] };
  }
  const { flag, variation, reason, experiment } = outcome;
  const json = flag.variations[variation];
  const detail: EvaluationDetail = {
    value: json === undefined ? fallback : JSON.parse(json),
    variation: json === undefined ? undefined : variation,
    reason,
    version: flag.version,
    trackEvents: flag.trackEvents || experiment,
    trackReason: experiment,
    prerequisites: flag.prerequisites.slice(0, outcome.prerequisites),
  };
  return typeof fallback === "object" || typeof detail.value === typeof fallback
    ? detail
    : { ...detail, value: fallback, variation: undefined, reason: wrongType };
}
