import { expect, test } from "vitest";
import { CollectedEvents } from "./collected-events.js";
import { EventBudget, entryBytes } from "./event-budget.js";

const batch = { bytes: Buffer.from("1,2"), count: 2 };
const plain = { schema: 4, tags: "", origin: "verbatim", key: "sdk-1" };

function setUp() {
  const all = new EventBudget({ count: 100, bytes: 100_000 }, () => {});
  return new CollectedEvents({ all, strange: all.part() }, () => true);
}

test("what is in line to be taken is not idle, grows until it is taken, and may fall out of the line", () => {
  const collected = setUp();
  const seen = () => [collected.isEmpty, collected.idle.map(({ count }) => count)];
  expect(seen()).toEqual([true, []]);
  collected.add(plain, batch);
  expect(seen()).toEqual([false, [2]]);
  const [one] = collected.idle;
  if (one === undefined) throw new Error("nothing waits");
  collected.lineUp(one);
  collected.add(plain, batch);
  expect([seen(), one.count]).toEqual([[true, []], 4]);
  collected.fallOut(one);
  expect(seen()).toEqual([false, [4]]);
  collected.lineUp(one);
  collected.take(one);
  expect(seen()).toEqual([true, []]);
  collected.add(plain, batch);
  expect([seen(), one.count]).toEqual([[false, [2]], 4]);
});

test.each([
  [{}, 1],
  [{ schema: 3 }, 2],
  [{ tags: "a" }, 2],
  [{ origin: "[]" }, 2],
  [{ key: "sdk-2" }, 2],
  [{ key: undefined }, 2],
])("events are one post with others unless they differ: %j", (other, posts) => {
  const collected = setUp();
  for (const metadata of [plain, { ...plain, ...other }]) collected.add(metadata, batch);
  expect(collected.idle).toHaveLength(posts);
});

test("the first batch under a name costs that name as well, and what there is room for fits", () => {
  const collected = setUp();
  const room = () => collected.roomFor(plain).bytes;
  const whole = 100_000 - 2 * entryBytes - 2 * JSON.stringify(Object.values(plain)).length;
  expect(room()).toBe(whole);
  collected.add(plain, batch);
  expect(room()).toBe(whole - batch.bytes.length - entryBytes);
  expect(collected.add(plain, { bytes: Buffer.alloc(room() + 1), count: 1 })).toBe(false);
  expect(collected.add(plain, { bytes: Buffer.alloc(room()), count: 1 })).toBe(true);
});

test("what waits under a name is within one budget, also when the name has become known meanwhile", () => {
  const all = new EventBudget({ count: 8, bytes: 100_000 }, () => {});
  const budgets = { all, strange: all.part() };
  let isKnown = false;
  const collected = new CollectedEvents(budgets, () => isKnown);
  const metadata = { schema: 4, tags: "shop", origin: "verbatim", key: "sdk-1" };
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
