import { expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after.js";

const now = Date.UTC(2026, 0, 1);

test.each<[headers: Record<string, string>, waitMs: number | undefined]>([
  [{}, undefined],
  [{ "retry-after": "" }, undefined],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "7" }, 7000],
  [{ "retry-after": "-7" }, undefined],
  [{ "retry-after": "1.5" }, undefined],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }, 5000],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT" }, 0],
  [{ "retry-after": "Wed, 31 Dec 2025 23:59:59 GMT" }, undefined],
  // Times have one meaning in any letter case, and where they name no zone.
  [{ "retry-after": "thu, 01 jan 2026 00:00:05 gmt" }, 5000],
  [{ "retry-after": "Thu Jan  1 00:00:05 2026" }, 5000],
  [{ "retry-after": "Fri, 02 Jan 2026 00:00:05 GMT", date: "Fri, 02 Jan 2026 00:00:00 GMT" }, 5000],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT", date: "a while ago" }, 5000],
  [{ "retry-after": "7", date: "Fri, 02 Jan 2026 00:00:00 GMT" }, 7000],
])("of the headers %j comes a wait of %s", (headers, waitMs) => {
  expect(parseRetryAfter(new Headers(headers), now)).toBe(waitMs);
});
