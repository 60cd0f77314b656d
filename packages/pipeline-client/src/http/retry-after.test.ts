import { expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after.js";

const now = Date.parse("2026-01-01T00:00:00Z");

test.each<readonly [value: string | undefined, date: string | undefined, ms: number | undefined]>([
  [undefined, undefined, undefined],
  ["0", undefined, 0],
  ["3", undefined, 3000],
  ["9".repeat(15), undefined, 999_999_999_999_999_000],
  ["9".repeat(16), undefined, undefined],
  ["-1", undefined, undefined],
  ["1.5", undefined, undefined],
  ["5s", undefined, undefined],
  ["x5", undefined, undefined],
  ["soon", undefined, undefined],
  ["Thu, 01 Jan 2026 00:00:10 GMT", undefined, 10_000],
  ["Thu, 01 Jan 2026 00:00:10 gmt", undefined, 10_000],
  ["Thu Jan  1 00:00:10 2026", undefined, 10_000],
  ["Thu, 01 Jan 2026 00:00:00 GMT", undefined, 0],
  ["Wed, 31 Dec 2025 23:59:59 GMT", undefined, undefined],
  ["Thu, 01 Jan 2026 00:00:10 GMT", "Thu, 01 Jan 2026 00:00:04 GMT", 6000],
  ["Thu, 01 Jan 2026 00:00:10 GMT", "nonsense", 10_000],
  ["Wed, 31 Dec 2025 23:59:59 GMT", "Wed, 31 Dec 2025 23:59:50 GMT", 9000],
])("Retry-After: %s, at %s: %s", (value, date, ms) => {
  const headers = new Headers();
  if (value !== undefined) headers.set("retry-after", value);
  if (date !== undefined) headers.set("date", date);
  expect(parseRetryAfter(headers, now)).toBe(ms);
});
