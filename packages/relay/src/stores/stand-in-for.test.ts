import { parseItem } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { standInFor } from "./stand-in-for.js";

test.each([
  [7, 6],
  [1, 0],
  [0, -1],
  [2 ** 60, Number.MAX_SAFE_INTEGER],
  [1e300, Number.MAX_SAFE_INTEGER],
])("what stands for version %d is a deletion that is older", (version, older) => {
  expect(older).toBeLessThan(version);
  const item = parseItem("segments", "a", JSON.stringify({ key: "a", version }));
  expect(standInFor(item)).toMatchObject({ kind: "segments", key: "a", version: older, deleted: true });
});
