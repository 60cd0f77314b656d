import { expect, test } from "vitest";
import { largerUnit, parseQuantity } from "../src/quantity.js";

const units: readonly (readonly [unit: string, factor: number])[] = [
  ...([
    ["n", 1e-9],
    ["u", 1e-6],
    ["m", 1e-3],
    ["", 1],
    ["k", 1e3],
    ["M", 1e6],
    ["G", 1e9],
    ["T", 1e12],
  ] as const),
  ...([
    ["P", 1e15],
    ["E", 1e18],
    ["e2", 100],
    ["E2", 100],
    ["e-3", 1e-3],
    ["E+3", 1e3],
  ] as const),
  ...["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((unit, index) => [unit, 1024 ** (index + 1)] as const),
];

test.each(units)("an amount in %j is so many times %d", (unit, factor) => {
  for (const [digits, number] of [
    ["3", 3],
    ["1.5", 1.5],
    [".5", 0.5],
    ["2.", 2],
    ["+2", 2],
    ["-2", -2],
    ["0", 0],
  ] as const) {
    expect(parseQuantity(digits + unit)).toBeCloseTo(number * factor, 12);
  }
});

test.each([
  "",
  "Gi",
  ".",
  "1 Gi",
  "1gi",
  "1K",
  "1ki",
  "1mi",
  "1e",
  "1e+",
  "1e1.5",
  "1,5",
  "0x1",
  "--1",
  "1Gib",
  "1e1000",
])("%j is no amount", (text) => expect(parseQuantity(text)).toBeUndefined());

test.each([
  ["63", "write 63Gi"],
  ["64", "write 64Mi"],
  ["512m", "write 512Mi"],
  ["0.5k", "write 0.5Mi"],
  ["1e3", "write 512Mi or the like"],
  ["1E-3", "write 512Mi or the like"],
])("in place of %s of memory: %s", (text, hint) => expect(largerUnit(text)).toBe(hint));
