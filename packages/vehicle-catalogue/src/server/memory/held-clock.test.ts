import { expect, test } from "vitest";
import { heldClock } from "./held-clock.js";
import { steadyClock } from "./steady-clock.js";

test("a clock that is held stands still until it is released, and can be held anew", () => {
  let time = 5;
  const clock = heldClock(() => time);
  clock.hold();
  time = 7;
  expect(clock.now()).toBe(5);
  clock.hold();
  time = 9;
  expect(clock.now()).toBe(7);
  clock.release();
  expect(clock.now()).toBe(9);
});

test("a clock tells its last time where the other one tells none, of those that a date can have", () => {
  let time: unknown = 0;
  const now = steadyClock(() => time as number);
  expect(now()).toBe(0);
  time = 8.64e15;
  expect(now()).toBe(8.64e15);
  for (const none of [8.64e15 + 2, -1, Number.NaN, "5", undefined]) {
    time = none;
    expect(now()).toBe(8.64e15);
  }
  time = 3;
  expect(now()).toBe(3);
});

test("a clock that has never told a time is refused", () => {
  expect(steadyClock(() => -1)).toThrow(new TypeError("now must give milliseconds since 1970; got -1."));
});
