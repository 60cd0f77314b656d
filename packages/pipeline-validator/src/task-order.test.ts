import type { TaskNode } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { TaskOrder } from "./task-order.js";

/** A task that waits for others; no more of it is used. */
const waitingFor = (...others: readonly TaskNode[]): TaskNode =>
  ({ dependencies: others.map((to) => ({ kind: "order", to })) }) as unknown as TaskNode;

const [first, other] = [waitingFor(), waitingFor()];
const second = waitingFor(first);
const third = waitingFor(second);

test("a task comes after those that it waits for, at any distance, and not after others, nor itself", () => {
  const order = new TaskOrder();
  const answers = [first, second, third, other].map((earlier) => order.isAfter(third, earlier));
  expect(answers).toEqual([true, true, false, false]);
  expect(order.isAfter(first, third)).toBe(false);
});

test.each([
  ["order", true],
  ["data", true],
  ["status", false],
  ["platform", false],
])("a dependency of the kind %s makes a task wait: %s", (kind, waits) => {
  const task = { dependencies: [{ kind, to: first }] } as unknown as TaskNode;
  expect(new TaskOrder().isAfter(task, first)).toBe(waits);
});

test("what would take too long to find out counts as true, so that nothing is said of it", () => {
  const order = new TaskOrder();
  order.spend(499_000);
  expect([order.isSpent, order.isAfter(third, other)]).toEqual([false, false]);
  order.spend(2000);
  expect([order.isSpent, order.isAfter(third, other), order.isAfter(second, other)]).toEqual([
    true,
    true,
    true,
  ]);
});
