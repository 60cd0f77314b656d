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
