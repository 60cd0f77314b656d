import { expect, test } from "vitest";
import { CollectedEvents } from "./collected-events.js";
import { EventBudget } from "./event-budget.js";

test("what waits under a name is within one budget, also when the name has become known meanwhile", () => {
  const all = new EventBudget({ count: 8, bytes: 100_000 }, () => {});
  const budgets = { all, strange: all.part() };
  let isKnown = false;
  const collected = new CollectedEvents(budgets, () => isKnown);
  const metadata = { schema: 4, tags: "shop", origin: "verbatim", key: "sdk-1" };
  const batch = { bytes: Buffer.from("1,2"), count: 2 };
  expect(collected.add(metadata, batch)).toBe(true);
  isKnown = true;
  expect(collected.budgetFor(metadata)).toBe(budgets.strange);
  expect(collected.roomFor(metadata).count).toBe(4);
  expect(["taken", "taken", "full"].map((what) => [what, collected.add(metadata, batch)])).toEqual([
    ["taken", true],
    ["taken", true],
    ["full", false],
  ]);
  expect(collected.budgetFor({ ...metadata, tags: "other" })).toBe(all);
  const [waiting] = collected.idle;
  expect([collected.idle.length, waiting?.count, waiting?.batches.length]).toEqual([1, 6, 3]);
  waiting!.budget.giveBack(waiting!.count, waiting!.cost);
  collected.take(waiting!);
  expect([collected.idle.length, all.room, budgets.strange.room]).toEqual([
    0,
    { count: 8, bytes: 100_000 },
    { count: 6, bytes: 75_000 },
  ]);
  expect(collected.budgetFor(metadata)).toBe(all);
});
