import { expect, test } from "vitest";
import { backOffMs } from "./back-off.js";

test("waits grow, are bounded, and never the same for all", () => {
  const least = [0, 1, 2, 5, 10, 1e9].map((failures) => backOffMs(failures, () => 0));
  const most = [0, 1, 2, 5, 10, 1e9].map((failures) => backOffMs(failures, () => 1));
  expect(least).toEqual([50, 100, 200, 1600, 15_000, 15_000]);
  expect(most).toEqual([100, 200, 400, 3200, 30_000, 30_000]);
});
