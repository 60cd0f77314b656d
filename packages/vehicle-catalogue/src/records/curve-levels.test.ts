import { expect, test } from "vitest";
import { reportFalls, rises } from "./curve-levels.js";

function falls(curve: unknown): readonly string[] {
  const told: string[] = [];
  reportFalls("curve", curve, (field, message) => told.push(`${field} ${message}`));
  return told;
}

const levels = (...percentages: readonly unknown[]) => percentages.map((percentage) => ({ percentage }));

test.each<[curve: unknown, told: readonly string[]]>([
  [[], []],
  [levels(0, 50, 100), []],
  [levels(-5, 0), []],
  [levels(5, 5), ["curve[1].percentage must rise; got 5 after 5"]],
  // Each is compared with the one before it, and not with the highest.
  [
    levels(0, 50, 30, 40, 35),
    ["curve[2].percentage must rise; got 30 after 50", "curve[4].percentage must rise; got 35 after 40"],
  ],
  // What has no level is passed over.
  [
    [{ percentage: 50 }, null, { percentage: "60" }, 5, { percentage: 40 }],
    ["curve[4].percentage must rise; got 40 after 50"],
  ],
  ["a text", []],
  [undefined, []],
])("of the curve %j is told %j", (curve, told) => {
  expect(falls(curve)).toEqual(told);
  expect(rises(curve)).toBe(told.length === 0);
});
