import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createManualClock } from "../testing/manual-clock.js";
import { pause } from "./pause.js";

test("ends after its time, and leaves neither a listener nor a timer", async () => {
  const clock = createManualClock();
  const { signal } = new AbortController();
  const paused = pause(clock, 100, signal);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  clock.advance(100);
  await paused;
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
  expect(clock.pending).toBe(0);
});

test("ends when the signal is aborted, before or meanwhile, and leaves nothing", async () => {
  const clock = createManualClock();
  const controller = new AbortController();
  const paused = pause(clock, 100, controller.signal);
  controller.abort();
  await paused;
  await pause(clock, 100, controller.signal);
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  expect(clock.pending).toBe(0);
});
