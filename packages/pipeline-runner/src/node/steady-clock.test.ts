import { expect, test } from "vitest";
import { steadyClock } from "./steady-clock.js";

/** A clock on sources that are set by hand. */
function world(earliest?: number) {
  const source = { wall: 1_000_000, even: 0 };
  const clock = steadyClock(earliest, { wall: () => source.wall, even: () => source.even });
  const pass = (ms: number) => {
    source.wall += ms;
    source.even += ms;
    return clock();
  };
  return { source, clock, pass };
}

test("goes with the time of day", () => {
  const { pass, source } = world();
  expect([pass(0), pass(10), pass(5000)]).toEqual([1_000_000, 1_000_010, 1_005_010]);
  source.wall += 3_600_000;
  expect(pass(1)).toBe(1_005_011 + 3_600_000);
});

test("goes on when the clock is put back, and never goes back", () => {
  const { pass, source } = world();
  source.wall -= 3_600_000;
  expect(pass(10)).toBe(1_000_010);
  expect(pass(1000)).toBe(1_001_010);
  source.wall -= 500;
  expect(pass(100)).toBe(1_001_010);
  expect(pass(1000)).toBe(1_001_610);
});

test.each([
  { name: "of a new run", earliest: undefined, begin: 1_000_000 },
  { name: "of one that is resumed", earliest: 5_000_000, begin: 5_000_000 },
])("goes on $name however often the clock is put back, and by how much", ({ earliest, begin }) => {
  const { pass, source } = world(earliest);
  expect(pass(0)).toBe(begin);
  let due = begin;
  for (const ms of [3_600_000, 2000, 900_000]) {
    source.wall -= ms;
    due += 10;
    expect(pass(10)).toBe(due);
  }
  source.wall += 60_000;
  expect(pass(10)).toBe(due + 60_010);
});

test("goes on in steps when the clock of the machine stands still", () => {
  const { clock, source } = world();
  const times = Array.from({ length: 30 }, () => {
    source.even += 100;
    return clock();
  });
  expect(times.at(-1)).toBeGreaterThan(1_002_000);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test("begins no earlier than what has been", () => {
  const { pass } = world(5_000_000);
  expect([pass(0), pass(10)]).toEqual([5_000_000, 5_000_010]);
});

test("tells whole milliseconds, also where it goes on by parts of them", () => {
  const { clock, pass, source } = world();
  source.wall -= 3_600_000;
  const times = [pass(1.75), pass(1.75), pass(1.75), clock()];
  expect(times).toEqual([1_000_001, 1_000_003, 1_000_005, 1_000_005]);
});
