import { expect, test } from "vitest";
import { steadyClock } from "./steady-clock.js";

test("a steady clock goes forward as the other one does, and stands still where that goes back or tells no time", () => {
  let time = 1000;
  const now = steadyClock(() => time);
  const at = (told: number): number => {
    time = told;
    return now();
  };
  expect(now()).toBe(0);
  expect([at(1005), at(1005), at(1007.5)]).toEqual([5, 5, 7.5]);
  expect([at(400), at(410)]).toEqual([7.5, 17.5]);
  expect([at(Number.NaN), at(Number.POSITIVE_INFINITY), at(411)]).toEqual([17.5, 17.5, 18.5]);
});
