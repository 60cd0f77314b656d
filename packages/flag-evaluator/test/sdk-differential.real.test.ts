import { expect, test } from "vitest";
import { compareWithSdk } from "./sdk-differential.js";

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`the official SDK gives the same for 72,000 evaluations (seed ${seed})`, async () => {
    const { comparisons, mismatches } = await compareWithSdk(seed, { sets: 45, flags: 40, contexts: 40 });
    expect(mismatches).toEqual([]);
    expect(comparisons).toBe(72_000);
  });
}
