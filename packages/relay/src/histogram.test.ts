import { expect, test } from "vitest";
import { createHistogram } from "./histogram.js";

test("a value counts in each bucket whose bound it does not exceed", () => {
  const histogram = createHistogram();
  for (const value of [0, 0.0005, 0.00051, 5, 5.1]) histogram.add(value);
  const buckets = new Map(histogram.buckets().map(({ upTo, count }) => [upTo, count]));
  expect(buckets.get("0.0005")).toBe(2);
  expect(buckets.get("0.001")).toBe(3);
  expect(buckets.get("2.5")).toBe(3);
  expect(buckets.get("5")).toBe(4);
  expect(buckets.get("+Inf")).toBe(5);
  expect(histogram.count).toBe(5);
  expect(histogram.sum).toBeCloseTo(10.10101);
});
