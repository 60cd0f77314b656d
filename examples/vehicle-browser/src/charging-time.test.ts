import { expect, test } from "vitest";
import { type CurvePoint, chargingMinutes, formatMinutes, powerAt } from "./charging-time.js";

const curve: readonly CurvePoint[] = [
  { percentage: 10, power: 100 },
  { percentage: 50, power: 100 },
  { percentage: 100, power: 20 },
];

test("the power is linear between points and level outside", () => {
  expect([0, 10, 30, 50, 75, 100, 120].map((level) => powerAt(curve, level))).toEqual([
    100, 100, 100, 100, 60, 20, 20,
  ]);
  expect(powerAt([], 50)).toBe(0);
  expect(powerAt([{ percentage: 40, power: 7 }], 10)).toBe(7);
});

test("at a constant power the time is energy over power", () => {
  expect(chargingMinutes(60, [{ percentage: 0, power: 60 }], 10, 80)).toBeCloseTo(42, 9);
});

test("along a curve the time is what small steps add up to", () => {
  let hours = 0;
  const steps = 100_000;
  for (let step = 0; step < steps; step++) {
    const level = 10 + (70 * (step + 0.5)) / steps;
    hours += (60 * 0.7) / steps / powerAt(curve, level);
  }
  expect(chargingMinutes(60, curve, 10, 80)).toBeCloseTo(hours * 60, 5);
});

test("there is no time where the power falls to nothing", () => {
  const ending = [...curve.slice(0, 2), { percentage: 80, power: 0 }];
  expect(chargingMinutes(60, ending, 10, 80)).toBeUndefined();
  expect(chargingMinutes(60, ending, 10, 79)).toBeGreaterThan(0);
  expect(chargingMinutes(60, [], 10, 80)).toBeUndefined();
});

test("times are written as people say them", () => {
  expect([0.2, 28.4, 89, 90, 120, 370].map(formatMinutes)).toEqual([
    "1 min",
    "28 min",
    "89 min",
    "1 h 30 min",
    "2 h",
    "6 h 10 min",
  ]);
});
