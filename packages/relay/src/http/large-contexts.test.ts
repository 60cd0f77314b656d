import { expect, test } from "vitest";
import { LargeContexts } from "./large-contexts.js";

test("large contexts have exactly so much room; small ones need none", () => {
  const contexts = new LargeContexts(100_000);
  const first = contexts.take(60_000);
  expect(first).toBeDefined();
  expect(contexts.take(40_001)).toBeUndefined();
  expect(contexts.take(40_000)).toBeDefined();
  expect(contexts.take(16_385)).toBeUndefined();
  for (let n = 0; n < 100; n++) expect(contexts.take(16_384)).toBeDefined();
  first?.();
  expect(contexts.take(60_001)).toBeUndefined();
  expect(contexts.take(60_000)).toBeDefined();
});
