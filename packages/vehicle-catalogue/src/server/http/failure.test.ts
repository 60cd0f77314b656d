import { describe, expect, test } from "vitest";
import { DeadlineError } from "./abortable-call.js";
import { describeError, explainFailure, isSuperseded, newerSnapshot } from "./failure.js";

const key = "my-key";
const request = (signal?: AbortSignal) => ({
  method: "GET",
  url: "/v2/vehicles",
  headers: new Headers({ "api-key": key }),
  signal,
});
const failing = (code: string, more: object = {}, message = "away") =>
  Object.assign(new Error(message), { code, ...more });
const explained = (error: unknown, signal?: AbortSignal) =>
  explainFailure(error, request(signal), "/v2/vehicles");

describe("what is away for a time says after how many seconds to come again", () => {
  test.each<[retryAfterMs: unknown, seconds: string]>([
    [undefined, "5"],
    ["7000", "5"],
    [-1, "5"],
    [Number.NaN, "5"],
    [0, "1"],
    [1000, "1"],
    [1001, "2"],
    [86_400_000, "86400"],
    [86_400_001, "86400"],
    [Number.POSITIVE_INFINITY, "86400"],
  ])("%s: %s", (retryAfterMs, seconds) => {
    const { refusal } = explained(failing("unavailable", { retryAfterMs }));
    expect([refusal.status, refusal.headers]).toEqual([503, { "Retry-After": seconds }]);
  });
});

test.each([
  ["unavailable", failing("unavailable")],
  ["superseded", failing("superseded")],
  ["late", new DeadlineError("away")],
])("an outage is told by its kind and without the stack: %s", (kind, error) => {
  const { refusal, line, outage } = explained(error);
  expect([refusal.status, line]).toEqual([503, undefined]);
  expect(outage).toEqual({ kind, line: "GET /v2/vehicles cannot be answered for the time being: away" });
});

test("anything else is a fault, which is told with its stack", () => {
  for (const error of [failing("other"), new Error("away"), { code: "unavailable" }, "away"]) {
    const { refusal, line, outage } = explained(error);
    expect([refusal.status, outage]).toEqual([500, undefined]);
    expect(line).toMatch(/^GET \/v2\/vehicles failed: /);
  }
  expect(explained(new Error("away")).line).toContain("failure.test.ts");
  const bare = Object.assign(new Error("away"), { stack: undefined });
  expect(explained(bare).line).toBe("GET /v2/vehicles failed: away");
});

test("where nobody waits for the answer any more, nothing is told", () => {
  const { refusal, line, outage } = explained(new Error("broken"), AbortSignal.abort());
  expect([refusal.status, line, outage]).toEqual([503, undefined, undefined]);
});

test("no line has the key in it, wherever the error has it", () => {
  const message = `no ${key}, and no ${key}`;
  expect(explained(failing("unavailable", {}, message)).outage?.line).toContain("no [key], and no [key]");
  expect(explained(new Error(message)).line).not.toContain(key);
  expect(describeError(message, key)).toBe("no [key], and no [key]");
  expect(describeError(message, "")).toBe(message);
  expect(describeError(message, null)).toBe(message);
});

test("a version that is gone may bring along the snapshot to be asked instead", () => {
  const snapshot = {};
  expect(newerSnapshot(failing("superseded", { snapshot }))).toBe(snapshot);
  for (const none of [null, 5, undefined]) {
    expect(newerSnapshot(failing("superseded", { snapshot: none }))).toBeUndefined();
  }
  expect(newerSnapshot({ snapshot })).toBeUndefined();
  expect([failing("superseded"), failing("unavailable"), "superseded"].map(isSuperseded)).toEqual([
    true,
    false,
    false,
  ]);
});
