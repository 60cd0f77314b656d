import { expect, test } from "vitest";
import { createBackoff } from "./backoff.js";

function create(random: () => number) {
  let now = 0;
  const backoff = createBackoff({
    baseMs: 1000,
    maxMs: 30_000,
    resetAfterMs: 60_000,
    random,
    monotonic: () => now,
  });
  return { backoff, advance: (ms: number) => (now += ms) };
}
const next = (backoff: { nextMs(): number }, count: number) =>
  Array.from({ length: count }, () => backoff.nextMs());

test("pauses double up to the maximum", () => {
  const { backoff } = create(() => 0);
  expect(next(backoff, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test("jitter takes away up to a half", () => {
  const { backoff } = create(() => 0.5);
  expect(next(backoff, 3)).toEqual([750, 1500, 3000]);
});

test("a connection that delivered but did not last goes on with the sequence", () => {
  const { backoff, advance } = create(() => 0);
  next(backoff, 2);
  backoff.good();
  advance(59_999);
  expect(backoff.nextMs()).toBe(4000);
});

test("a connection that was good for a minute starts a new sequence, counted from its first event", () => {
  const { backoff, advance } = create(() => 0);
  next(backoff, 3);
  backoff.good();
  advance(30_000);
  backoff.good();
  advance(30_000);
  expect(next(backoff, 2)).toEqual([1000, 2000]);
});

test("upstream may set the first pause, within bounds", () => {
  const { backoff } = create(() => 0);
  backoff.setBase(150);
  expect(next(backoff, 2)).toEqual([150, 300]);
  backoff.setBase(0);
  expect(backoff.nextMs()).toBe(400);
  backoff.setBase(1e9);
  expect(backoff.nextMs()).toBe(30_000);
});

test("an outage of any length keeps the pause finite", () => {
  const { backoff } = create(() => 0);
  next(backoff, 5000);
  expect(backoff.nextMs()).toBe(30_000);
});
