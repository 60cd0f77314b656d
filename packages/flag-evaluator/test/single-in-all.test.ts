import { expect, test } from "vitest";
import { compareSingleWithAll } from "./single-in-all.js";

test("a flag gives alone what it gives among all", () => {
  const { comparisons, mismatches } = compareSingleWithAll(2026, { sets: 9, flags: 40, contexts: 20 });
  expect(mismatches).toEqual([]);
  expect(comparisons).toBe(7200);
});
