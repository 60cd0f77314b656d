import { expect, test } from "vitest";
import { createManualClock } from "../testing/manual-clock.js";
import { SlowReaders } from "./slow-readers.js";
import type { Subscriber } from "./subscriber.js";

/** Readers by their names, and which of them were found to take nothing, and when. */
function setUp(timeoutMs: number) {
  const clock = createManualClock();
  const stalled: string[] = [];
  const names = new Map<Subscriber, string>();
  const slow = new SlowReaders(
    timeoutMs,
    clock,
    (ms, run) => clock.schedule(ms, run),
    (one) => void stalled.push(`${names.get(one)} ${clock.monotonic()}`),
  );
  const reader = (name: string): Subscriber => {
    // Nothing of a stream is looked at.
    const one = {} as Subscriber;
    names.set(one, name);
    return one;
  };
  return { slow, clock, stalled, reader };
}

test("a reader has stalled when it has taken nothing for the whole time, and is not watched any more", () => {
  const { slow, clock, stalled, reader } = setUp(100);
  const a = reader("a");
  expect(slow.has(a)).toBe(false);
  slow.watch(a);
  clock.advance(99);
  expect([stalled, slow.has(a)]).toEqual([[], true]);
  clock.advance(1);
  expect([stalled, slow.has(a), clock.pending]).toEqual([["a 100"], false, 0]);
  slow.watch(a);
  clock.advance(100);
  expect([stalled, clock.pending]).toEqual([["a 100", "a 200"], 0]);
});

test("time begins anew for a reader that takes something, and ends for one that takes all", () => {
  const { slow, clock, stalled, reader } = setUp(100);
  const [a, b, c] = [reader("a"), reader("b"), reader("c")];
  slow.watch(a);
  slow.watch(b);
  clock.advance(40);
  slow.watch(c);
  slow.watch(a);
  slow.release(b);
  slow.release(b);
  expect([slow.has(a), slow.has(b), slow.has(c), clock.pending]).toEqual([true, false, true, 1]);
  clock.advance(99);
  expect([stalled, clock.pending]).toEqual([[], 1]);
  clock.advance(1);
  expect([stalled, clock.pending]).toEqual([["c 140", "a 140"], 0]);
});

test("however many readers are slow, one moment is waited for at a time", () => {
  const { slow, clock, stalled, reader } = setUp(100);
  for (const name of ["a", "b", "c", "d"]) {
    slow.watch(reader(name));
    expect(clock.pending).toBe(1);
    clock.advance(10);
  }
  clock.advance(1000);
  expect([stalled, clock.pending]).toEqual([["a 100", "b 110", "c 120", "d 130"], 0]);
});

test("when nobody is slow any more nothing is waited for, until somebody is", () => {
  const { slow, clock, stalled, reader } = setUp(100);
  const a = reader("a");
  slow.watch(a);
  slow.release(a);
  clock.advance(100);
  expect([stalled, clock.pending]).toEqual([[], 0]);
  slow.watch(a);
  expect(clock.pending).toBe(1);
});

test("without a limit readers may be as slow as they like", () => {
  const { slow, clock, stalled, reader } = setUp(0);
  const a = reader("a");
  slow.watch(a);
  expect([slow.has(a), clock.pending]).toEqual([true, 0]);
  clock.advance(10_000_000);
  expect([stalled, slow.has(a)]).toEqual([[], true]);
});
