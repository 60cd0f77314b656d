import { expect, test } from "vitest";
import { reasonText } from "./reason-text.js";

const rows = [
  { reason: { kind: "OFF" }, text: "the flag is off" },
  { reason: { kind: "FALLTHROUGH" }, text: "everybody else" },
  { reason: { kind: "TARGET_MATCH" }, text: "listed by key" },
  { reason: { kind: "RULE_MATCH", ruleIndex: 2, ruleId: "x" }, text: "rule 3 (x)" },
  { reason: { kind: "RULE_MATCH", ruleIndex: 0 }, text: "rule 1" },
  { reason: { kind: "PREREQUISITE_FAILED", prerequisiteKey: "b" }, text: "needs b" },
  { reason: { kind: "ERROR", errorKind: "MALFORMED_FLAG" }, text: "error: malformed flag" },
  { reason: null, text: "no reason given" },
];
for (const { reason, text } of rows) {
  test(`${JSON.stringify(reason)} is "${text}"`, () => expect(reasonText(reason)).toBe(text));
}
