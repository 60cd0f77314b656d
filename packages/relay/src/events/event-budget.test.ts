import { expect, test } from "vitest";
import { EventBudget } from "./event-budget.js";

test("takes up to its bounds, exactly, and what was given back again", () => {
  const changes: number[] = [];
  const budget = new EventBudget({ count: 3, bytes: 100 }, (change) => changes.push(change));
  expect(budget.room).toEqual({ count: 3, bytes: 100 });
  expect(budget.take(2, 60)).toBe(true);
  expect(budget.take(2, 1)).toBe(false);
  expect(budget.take(1, 41)).toBe(false);
  expect(budget.room).toEqual({ count: 1, bytes: 40 });
  expect(budget.take(0, 39)).toBe(true);
  expect(budget.take(1, 1)).toBe(true);
  expect(budget.room).toEqual({ count: 0, bytes: 0 });
  budget.giveBack(2, 60);
  expect(budget.take(2, 60)).toBe(true);
  expect(changes).toEqual([2, 1, -2, 2]);
});

test.each([
  { count: 8, bytes: 100, part: { count: 6, bytes: 75 } },
  // Rounded up: one event has room in the smallest.
  { count: 1, bytes: 101, part: { count: 1, bytes: 76 } },
])("a part of $count events and $bytes bytes is three quarters", ({ part, ...capacity }) => {
  const budget = new EventBudget(capacity, () => {});
  expect(budget.part().room).toEqual(part);
});

test("what a part keeps is taken from the whole, what it gives back goes there, and either may be full", () => {
  const changes: number[] = [];
  const budget = new EventBudget({ count: 8, bytes: 100 }, (change) => changes.push(change));
  const part = budget.part();
  expect(part.take(7, 10)).toBe(false);
  expect(part.take(1, 76)).toBe(false);
  expect(part.take(4, 40)).toBe(true);
  expect([part.room, budget.room]).toEqual([
    { count: 2, bytes: 35 },
    { count: 4, bytes: 60 },
  ]);
  expect(budget.take(3, 50)).toBe(true);
  expect(part.room).toEqual({ count: 1, bytes: 10 });
  // What does not fit in the whole is not taken from the part either.
  expect([part.take(2, 1), part.take(1, 11)]).toEqual([false, false]);
  budget.giveBack(3, 50);
  expect(part.take(2, 35)).toBe(true);
  expect(part.room).toEqual({ count: 0, bytes: 0 });
  part.giveBack(6, 75);
  expect([part.room, budget.room]).toEqual([
    { count: 6, bytes: 75 },
    { count: 8, bytes: 100 },
  ]);
  expect(changes).toEqual([4, 3, -3, 2, -6]);
});
