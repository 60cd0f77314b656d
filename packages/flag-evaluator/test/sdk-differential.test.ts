import { expect, test } from "vitest";
import { compareWithSdk } from "./sdk-differential.js";

test("the official SDK gives the same values, variations, reasons and prerequisites for 20,000 evaluations", {
  timeout: 300_000,
}, async () => {
  const { comparisons, mismatches, reasons } = await compareWithSdk(2026, {
    sets: 20,
    flags: 40,
    contexts: 25,
  });
  expect(mismatches).toEqual([]);
  expect(comparisons).toBe(20_000);
  expect([...reasons.keys()]).toEqual(
    expect.arrayContaining([
      "OFF",
      "TARGET_MATCH",
      "RULE_MATCH",
      "RULE_MATCH inExperiment",
      "FALLTHROUGH",
      "FALLTHROUGH inExperiment",
      "PREREQUISITE_FAILED",
      "ERROR",
      "RULE_MATCH HEALTHY",
      "FALLTHROUGH STALE",
      "FALLTHROUGH NOT_CONFIGURED",
    ]),
  );
});
