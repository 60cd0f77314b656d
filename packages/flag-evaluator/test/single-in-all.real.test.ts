import { expect, test } from "vitest";
import { compareSingleWithAll } from "./single-in-all.js";

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`a flag gives alone what it gives among all, 125,000 times (seed ${seed})`, () => {
    const { comparisons, mismatches } = compareSingleWithAll(seed, { sets: 50, flags: 50, contexts: 50 });
    expect(mismatches).toEqual([]);
    expect(comparisons).toBe(125_000);
  });
}
