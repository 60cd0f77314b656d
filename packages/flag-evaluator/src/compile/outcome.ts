import { asciiJson } from "../json.js";

/** How far the answers about big segments can be trusted. */
export type BigSegmentsStatus = "HEALTHY" | "STALE" | "STORE_ERROR" | "NOT_CONFIGURED";

/** Why an evaluation failed. */
export type EvaluationErrorKind = "MALFORMED_FLAG" | "FLAG_NOT_FOUND" | "WRONG_TYPE";

/** Why a flag has its value, in the form in which it is sent to SDKs. Frozen: all contexts are given the same. */
export interface EvaluationReason {
  readonly kind: "OFF" | "FALLTHROUGH" | "TARGET_MATCH" | "RULE_MATCH" | "PREREQUISITE_FAILED" | "ERROR";
  readonly ruleIndex?: number;
  readonly ruleId?: string;
  readonly inExperiment?: true;
  readonly prerequisiteKey?: string;
  readonly errorKind?: EvaluationErrorKind;
  readonly bigSegmentsStatus?: BigSegmentsStatus;
}

/** What all outcomes of a flag share. */
export interface FlagHead {
  readonly key: string;
  readonly version: number;
  readonly trackEvents: boolean;
  readonly debugEventsUntilDate: number;
  readonly prerequisites: readonly string[];
  /** JSON text of each variation. */
  readonly variations: readonly string[];
}

/** One of the few results that a flag can have. Its texts are made once and then sent again and again. */
export interface Outcome {
  readonly flag: FlagHead;
  /** -1 for none. */
  readonly variation: number;
  readonly reason: EvaluationReason;
  /** How many of the flag's prerequisites were evaluated. */
  readonly prerequisites: number;
  /** Whether an experiment decided, so that SDKs must report the reason. */
  readonly experiment: boolean;
  /** An error that makes every evaluation fail that comes across it, not only this flag's. */
  readonly fatal: boolean;
  /** Place in {@link bigSegmentsStatuses}. */
  readonly status: number;
}

/** What is written of an outcome: the value alone, its details, or details with the reason. */
export const textForms = { value: 0, details: 1, detailsWithReason: 2 } as const;

/** One of {@link textForms}. */
export type TextForm = (typeof textForms)[keyof typeof textForms];

/** From none asked to worst: of several the last one counts. */
export const bigSegmentsStatuses: readonly (BigSegmentsStatus | undefined)[] = [
  undefined,
  "HEALTHY",
  "STALE",
  "STORE_ERROR",
  "NOT_CONFIGURED",
];

type OutcomeParts = Pick<Outcome, "flag" | "variation" | "reason" | "prerequisites"> & Partial<Outcome>;

/** Makes an outcome without texts. */
export function createOutcome(parts: OutcomeParts): Outcome {
  const { flag, variation, reason, prerequisites, experiment = false, fatal = false, status = 0 } = parts;
  return {
    status,
    variation,
    fatal,
    flag,
    reason: Object.freeze(reason),
    prerequisites,
    experiment,
  };
}

/** The outcome as it is when big segments were asked on the way. */
export function withStatus(outcome: Outcome, status: number): Outcome {
  const bigSegmentsStatus = bigSegmentsStatuses[status];
  const reason = bigSegmentsStatus === undefined ? outcome.reason : { ...outcome.reason, bigSegmentsStatus };
  return createOutcome({ ...outcome, reason, status });
}

/** The member of a response for this outcome: `"key":{"value":…}`. All ASCII. */
export function outcomeText(outcome: Outcome, form: TextForm): string {
  return `${asciiJson(outcome.flag.key)}:${outcomeValueText(outcome, form)}`;
}

/** The text without the key. */
export function outcomeValueText(outcome: Outcome, form: TextForm): string {
  const { flag, variation, reason, prerequisites, experiment } = outcome;
  const value = flag.variations[variation] ?? "null";
  if (form === textForms.value) return value;
  const parts = [
    `{"value":`,
    value,
    `,"variation":${variation < 0 ? null : variation},"version":${flag.version}`,
  ];
  if (flag.trackEvents || experiment) parts.push(`,"trackEvents":true`);
  if (experiment) parts.push(`,"trackReason":true`);
  if (experiment || form === textForms.detailsWithReason) parts.push(`,"reason":`, asciiJson(reason));
  if (flag.debugEventsUntilDate !== 0) parts.push(`,"debugEventsUntilDate":${flag.debugEventsUntilDate}`);
  if (prerequisites > 0) {
    parts.push(`,"prerequisites":`, asciiJson(flag.prerequisites.slice(0, prerequisites)));
  }
  parts.push("}");
  return parts.join("");
}
