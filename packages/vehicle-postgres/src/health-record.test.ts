import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HealthRecord } from "./health-record.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1000 }));
afterEach(() => void vi.useRealTimers());

const nothing = { vehicles: 0, loadedAt: undefined, confirmedAt: undefined, failures: 0, problem: undefined };

test("a record begins with nothing", () => {
  expect(new HealthRecord().read()).toEqual({ ...nothing, state: "loading", since: 1000 });
});

test("what fails before anything was loaded leaves the state as it is", () => {
  const record = new HealthRecord();
  vi.setSystemTime(2000);
  record.fail("away");
  record.fail("on fire");
  expect(record.read()).toEqual({
    ...nothing,
    ...{ state: "loading", since: 1000, failures: 2, problem: "on fire" },
  });
});

test("what is loaded is live from when it is confirmed, and stale from the first failure on", () => {
  const record = new HealthRecord();
  record.fail("away");
  vi.setSystemTime(2000);
  record.load(7);
  expect(record.read()).toMatchObject({ state: "loading", vehicles: 7, loadedAt: 2000, failures: 1 });
  vi.setSystemTime(3000);
  record.confirm();
  const live = { state: "live", since: 3000, vehicles: 7, loadedAt: 2000 };
  expect(record.read()).toEqual({ ...live, confirmedAt: 3000, failures: 0, problem: undefined });
  vi.setSystemTime(4000);
  record.confirm();
  expect(record.read()).toEqual({ ...live, confirmedAt: 4000, failures: 0, problem: undefined });
  for (const [now, failures] of [
    [5000, 1],
    [6000, 2],
  ] as const) {
    vi.setSystemTime(now);
    record.fail(`failure ${failures}`);
    expect(record.read()).toEqual({
      ...{ state: "stale", since: 5000, vehicles: 7, loadedAt: 2000, confirmedAt: 4000 },
      ...{ failures, problem: `failure ${failures}` },
    });
  }
});

test("a record that is closed says what was last, and since when it is closed", () => {
  const record = new HealthRecord();
  record.load(7);
  record.confirm();
  record.fail("away");
  vi.setSystemTime(9000);
  record.close();
  expect(record.read()).toEqual({
    ...{ state: "closed", since: 9000, vehicles: 7, loadedAt: 1000, confirmedAt: 1000 },
    ...{ failures: 1, problem: "away" },
  });
});
