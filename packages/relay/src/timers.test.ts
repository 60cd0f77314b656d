import { expect, test } from "vitest";
import { createManualClock } from "./testing/manual-clock.js";
import { createTimers } from "./timers.js";

test("what is scheduled runs once, unless it or all is cancelled before, and nothing is scheduled afterwards", () => {
  const clock = createManualClock();
  const timers = createTimers(clock);
  const ran: string[] = [];
  const later = (name: string, ms: number) => timers.later(ms, () => void ran.push(name));
  later("early", 10);
  const cancel = later("cancelled", 20);
  later("late", 30);
  clock.advance(10);
  cancel();
  cancel();
  clock.advance(10);
  expect([ran, clock.pending]).toEqual([["early"], 1]);
  timers.close();
  const cancelNothing = later("after the end", 1);
  clock.advance(1000);
  cancelNothing();
  expect([ran, clock.pending]).toEqual([["early"], 0]);
});

test("what is over is not cancelled any more", () => {
  let cancelled = 0;
  const runs: (() => void)[] = [];
  const timers = createTimers({
    now: () => 0,
    monotonic: () => 0,
    schedule(_, run) {
      runs.push(run);
      return () => void cancelled++;
    },
  });
  const cancels = [1, 2, 3].map((ms) => timers.later(ms, () => {}));
  runs[0]?.();
  cancels[1]?.();
  expect(cancelled).toBe(1);
  timers.close();
  expect(cancelled).toBe(2);
});
