import { expect, test } from "vitest";
import { EventBudget } from "./event-budget.js";
import { memoryWithin } from "./summary-memory.js";

test("what is taken goes back to where it was taken from, and then another budget may be the one", () => {
  const [one, other] = [100, 200].map((bytes) => new EventBudget({ count: 1, bytes }, () => {}));
  let now = one!;
  const memory = memoryWithin(() => now);
  const rooms = () => [one!.room.bytes, other!.room.bytes];
  expect(memory.take(60)).toBe(true);
  now = other!;
  expect(memory.take(41)).toBe(false);
  expect(memory.take(40)).toBe(true);
  memory.giveBack(99);
  expect(memory.take(9)).toBe(true);
  expect(rooms()).toEqual([90, 200]);
  memory.giveBack(10);
  expect(memory.take(150)).toBe(true);
  expect(rooms()).toEqual([100, 50]);
});
