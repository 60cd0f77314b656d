import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Occasions } from "./occasions.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** What a wait has come to so far. */
function waiting(occasions: Occasions, ms: number) {
  const wait = { outcome: "none yet" as boolean | string };
  void occasions.next(ms).then((wasDue) => {
    wait.outcome = wasDue;
  });
  return wait;
}

test("without a reason a wait ends with its time, and not before", async () => {
  const wait = waiting(new Occasions(), 100);
  await vi.advanceTimersByTimeAsync(99);
  expect(wait.outcome).toBe("none yet");
  await vi.advanceTimersByTimeAsync(1);
  expect(wait.outcome).toBe(false);
});

test("a reason ends a wait at once, and leaves no timer", async () => {
  const occasions = new Occasions();
  const wait = waiting(occasions, 100);
  await vi.advanceTimersByTimeAsync(50);
  occasions.raise();
  await vi.advanceTimersByTimeAsync(0);
  expect([wait.outcome, vi.getTimerCount()]).toEqual([true, 0]);
});

test("a reason that came before ends the next wait, and only that one, however many there were", async () => {
  const occasions = new Occasions();
  occasions.raise();
  occasions.raise();
  expect([await occasions.next(100), vi.getTimerCount()]).toEqual([true, 0]);
  const wait = waiting(occasions, 100);
  await vi.advanceTimersByTimeAsync(99);
  expect(wait.outcome).toBe("none yet");
  await vi.advanceTimersByTimeAsync(1);
  expect(wait.outcome).toBe(false);
});
