import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "./clock.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const longest = 2 ** 31 - 1;

test.each([0, 1, 5000, longest, longest + 1, 3 * longest + 5])("after %d ms something is run, once", (ms) => {
  const run = vi.fn();
  systemClock.after(ms, run);
  if (ms > 0) vi.advanceTimersByTime(ms - 1);
  expect(run).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(ms + 1);
  expect([run.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
});

test("what is taken back is not run, however late", () => {
  const run = vi.fn();
  for (const [ms, passed] of [
    [100, 99],
    [2 * longest, longest + 1],
  ] as const) {
    const cancel = systemClock.after(ms, run);
    vi.advanceTimersByTime(passed);
    cancel();
    vi.advanceTimersByTime(ms);
  }
  expect([run.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
});

test("what never comes needs no timer", () => {
  const cancel = systemClock.after(Number.POSITIVE_INFINITY, () => expect.unreachable("it never comes"));
  expect([vi.getTimerCount(), cancel()]).toEqual([0, undefined]);
});

test("it is now, and chance is a number from 0 to 1", () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(60_000);
  const numbers = Array.from({ length: 50 }, () => systemClock.random());
  expect(numbers.every((one) => one >= 0 && one < 1)).toBe(true);
  expect(new Set(numbers).size).toBeGreaterThan(1);
});
