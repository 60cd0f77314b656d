import { expect, test } from "vitest";
import { parseDuration } from "./duration.js";

const cases = [
  { value: 0, ms: 0 },
  { value: 1500, ms: 1500 },
  { value: "0", ms: 0 },
  { value: "250ms", ms: 250 },
  { value: "30s", ms: 30_000 },
  { value: "1m30s", ms: 90_000 },
  { value: "1.5h", ms: 5_400_000 },
  { value: "2h1m1s1ms", ms: 7_261_001 },
  { value: 0.2, ms: undefined },
  { value: 0.0001, ms: undefined },
  { value: 0.999, ms: undefined },
  { value: 1, ms: 1 },
  { value: 10_000 / 3, ms: 3333 },
  { value: 1500.5, ms: 1501 },
  { value: "2.01s", ms: 2010 },
  { value: "16.1s", ms: 16_100 },
  { value: "0.4ms", ms: undefined },
  { value: "1ms", ms: 1 },
  { value: "0ms", ms: 0 },
  { value: "876000h", ms: 3_153_600_000_000 },
  { value: "876001h", ms: undefined },
  { value: 3_153_600_000_000, ms: 3_153_600_000_000 },
  { value: 3_153_600_000_001, ms: undefined },
  { value: "30", ms: undefined },
  { value: "s", ms: undefined },
  { value: "", ms: undefined },
  { value: "5 s", ms: undefined },
  { value: "5sx", ms: undefined },
  { value: "-5s", ms: undefined },
  { value: -1, ms: undefined },
  { value: Number.NaN, ms: undefined },
  { value: Number.POSITIVE_INFINITY, ms: undefined },
  { value: null, ms: undefined },
  { value: "1s".repeat(25), ms: 25_000 },
  { value: `${"1s".repeat(24)}1ms`, ms: undefined },
  { value: Number.NEGATIVE_INFINITY, ms: undefined },
  { value: [1], ms: undefined },
];
for (const { value, ms } of cases) {
  test(`${JSON.stringify(value)} is ${ms === undefined ? "no duration" : `${ms} ms`}`, () =>
    expect(parseDuration(value)).toBe(ms));
}
