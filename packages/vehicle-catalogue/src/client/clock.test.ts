import { expect, test } from "vitest";
import { systemClock } from "./clock.js";

test("chance is a number from 0 to 1, another one each time", () => {
  const numbers = Array.from({ length: 20 }, () => systemClock.random());
  expect(numbers.filter((number) => number >= 0 && number < 1)).toEqual(numbers);
  expect(new Set(numbers).size).toBeGreaterThan(1);
});

test("time is that of the machine", () => {
  const before = Date.now();
  const now = systemClock.now();
  expect([before <= now, now <= Date.now()]).toEqual([true, true]);
});

test("what is called later is called once, unless it is taken back; more time than a timer has is not none", async () => {
  const calls: string[] = [];
  const cancel = systemClock.after(2 ** 40, () => calls.push("after decades"));
  systemClock.after(1, () => calls.push("taken back"))();
  await new Promise<void>((resolve) => {
    systemClock.after(2, () => {
      calls.push("called");
      resolve();
    });
  });
  cancel();
  expect(calls).toEqual(["called"]);
});
