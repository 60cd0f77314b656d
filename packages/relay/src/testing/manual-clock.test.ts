import { expect, test } from "vitest";
import { createManualClock } from "./manual-clock.js";

test("both clocks go on as told, and only the wall clock is set", () => {
  const clock = createManualClock(1000);
  clock.advance(5);
  expect([clock.now(), clock.monotonic()]).toEqual([1005, 5]);
  clock.jump(-300);
  clock.advance(1);
  expect([clock.now(), clock.monotonic()]).toEqual([706, 6]);
  clock.jump(100);
  expect([clock.now(), clock.monotonic()]).toEqual([806, 6]);
  expect(createManualClock().now()).toBe(1_700_000_000_000);
});

test("what falls due runs in order at its own time, up to the end and with what it schedules itself", () => {
  const clock = createManualClock();
  const ran: string[] = [];
  const note = (name: string) => () => void ran.push(`${name} at ${clock.monotonic()}`);
  clock.schedule(20, note("b"));
  clock.schedule(10, () => {
    note("a")();
    clock.schedule(10, note("c"));
    clock.schedule(11, note("d"));
  });
  clock.advance(9);
  expect([ran, clock.pending]).toEqual([[], 2]);
  clock.advance(11);
  expect([ran, clock.pending]).toEqual([["a at 10", "b at 20", "c at 20"], 1]);
  clock.advance(1000);
  expect([ran.at(-1), clock.monotonic()]).toEqual(["d at 21", 1020]);
});

test("what is cancelled does not run, and what should have run already does not turn the time back", () => {
  const clock = createManualClock();
  const ran: number[] = [];
  const note = () => void ran.push(clock.monotonic());
  clock.schedule(1, note)();
  clock.advance(10);
  clock.schedule(-5, note);
  clock.advance(0);
  expect([ran, clock.pending]).toEqual([[10], 0]);
});

test("what is cancelled by what runs before it does not run, and what is due together runs as it was scheduled", () => {
  const clock = createManualClock(0);
  const ran: string[] = [];
  clock.schedule(5, () => void ran.push("b"));
  clock.schedule(5, () => {
    ran.push("c");
    cancel();
    clock.jump(100);
  });
  const cancel = clock.schedule(5, () => void ran.push("d"));
  clock.schedule(6, () => void ran.push(`e at ${clock.now()}, ${clock.monotonic()}`));
  clock.schedule(1, () => void ran.push("a"));
  expect(clock.pending).toBe(5);
  clock.advance(6);
  expect([ran, clock.pending]).toEqual([["a", "b", "c", "e at 106, 6"], 0]);
});

test("what it calls may let time pass itself", () => {
  const clock = createManualClock(0);
  const ran: string[] = [];
  clock.schedule(1, () => {
    clock.advance(2);
    ran.push(`a at ${clock.monotonic()}`);
  });
  clock.schedule(2, () => void ran.push(`b at ${clock.monotonic()}`));
  clock.advance(5);
  expect([ran, clock.monotonic()]).toEqual([["b at 2", "a at 3"], 5]);
});
