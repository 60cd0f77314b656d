import type { LDEvaluationReason } from "@launchdarkly/js-client-sdk";

/** Why a flag has its value, in words; rules are counted from 1. */
export function reasonText(reason: LDEvaluationReason | null | undefined): string {
  switch (reason?.kind) {
    case "OFF":
      return "the flag is off";
    case "FALLTHROUGH":
      return "everybody else";
    case "TARGET_MATCH":
      return "listed by key";
    case "RULE_MATCH":
      return `rule ${(reason.ruleIndex ?? 0) + 1}${reason.ruleId ? ` (${reason.ruleId})` : ""}`;
    case "PREREQUISITE_FAILED":
      return `needs ${reason.prerequisiteKey ?? "another flag"}`;
    case "ERROR":
      return `error: ${(reason.errorKind ?? "unknown").toLowerCase().replaceAll("_", " ")}`;
    default:
      return "no reason given";
  }
}
