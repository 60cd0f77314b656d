import { describe, expect, test } from "vitest";
import { tricky } from "./oracle.js";
import { moreReadingCases, type ReadingCase, readingCases } from "./proto-json-cases.js";

const { ours, oracle } = tricky;

function oracleAccepts(json: unknown): boolean {
  try {
    oracle.readJson(json);
    return true;
  } catch {
    return false;
  }
}

function describeCases(rows: readonly ReadingCase[]): void {
  for (const { name, json, problem, writes, oracleDiffers } of rows.filter(
    (row) => row.problem === undefined,
  )) {
    test(`accepts ${name}`, () => {
      const result = ours.readJson(json);
      expect(result.problems).toEqual([]);
      expect(problem).toBeUndefined();
      expect(ours.writeJson(result.value)).toEqual(writes);
      // The same shape as binary gives.
      expect(ours.codec.decode(ours.codec.encode(result.value).finish())).toStrictEqual(result.value);
      expect(oracleAccepts(json)).toBe(oracleDiffers === undefined);
    });
  }
  for (const { name, json, problem, oracleDiffers } of rows.filter((row) => row.problem !== undefined)) {
    test(`refuses ${name}`, () => {
      const result = ours.readJson(json);
      expect(result.ok).toBe(false);
      const [first] = result.problems;
      expect([first?.path, first?.code]).toEqual(problem);
      expect(oracleAccepts(json)).toBe(oracleDiffers !== undefined);
    });
  }
}

describe("the reading cases of the reference", () => {
  test("are all here", () => expect(readingCases).toHaveLength(142));
  describeCases(readingCases);
});

describe("further reading cases", () => describeCases(moreReadingCases));

test("an accepted case means the same to the oracle", () => {
  for (const { name, json, problem, oracleDiffers } of [...readingCases, ...moreReadingCases]) {
    // The oracle does not hold NaN to be equal to itself.
    if (problem !== undefined || oracleDiffers !== undefined || name === "float: NaN") continue;
    const theirs = oracle.readJson(json);
    const bytes = ours.codec.encode(ours.readJson(json).value).finish();
    expect(oracle.equals(oracle.decode(bytes), theirs), name).toBe(true);
  }
});
