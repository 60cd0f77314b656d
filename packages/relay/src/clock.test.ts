import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "./clock.js";

const day = 86_400_000;

describe("the clock of the machine", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  // 2 ** 31 ms are 24.86 days.
  for (const ms of [0, 1, 2 ** 31 - 1, 2 ** 31, 30 * day, 50 * day]) {
    test(`calls after ${ms} ms, once and not before`, () => {
      let calls = 0;
      systemClock.schedule(ms, () => calls++);
      vi.advanceTimersByTime(Math.max(0, ms - 1));
      expect(calls).toBe(ms === 0 ? 1 : 0);
      vi.advanceTimersByTime(1);
      expect(calls).toBe(1);
      vi.advanceTimersByTime(60 * day);
      expect(calls).toBe(1);
    });
  }

  test("a long wait can be cancelled in each of its parts, and leaves no timer", () => {
    for (const passed of [0, 10 * day, 25 * day, 49 * day]) {
      let calls = 0;
      const cancel = systemClock.schedule(50 * day, () => calls++);
      vi.advanceTimersByTime(passed);
      expect(vi.getTimerCount()).toBe(1);
      cancel();
      expect(vi.getTimerCount()).toBe(0);
      vi.advanceTimersByTime(60 * day);
      expect(calls).toBe(0);
    }
  });
});
