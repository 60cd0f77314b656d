import { expect, test } from "vitest";
import { compareWithSdk } from "./sdk-differential.js";

const sets = process.env.WYE_ALL_ROUNDS ? 20 : 10;

test(`the official SDK gives the same values, variations, reasons and prerequisites for ${sets} sets of flags`, {
  timeout: 300_000,
}, async () => {
  const { comparisons, mismatches, reasons } = await compareWithSdk(2026, {
    sets,
    flags: 40,
    contexts: 25,
  });
  expect(mismatches).toEqual([]);
  expect(comparisons).toBe(sets * 40 * 25);
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
