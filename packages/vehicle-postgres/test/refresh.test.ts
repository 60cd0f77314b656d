import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createPostgresCatalogue } from "../src/index.js";
import { fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";

async function following(pollMs = 5) {
  const { state, server } = await fakeDatabase({ vehicles: fleet(10) });
  const catalogue = createPostgresCatalogue({ connection: server.connection, pollMs });
  onTestFinished(() => catalogue.close());
  await catalogue.ready();
  return { catalogue, state };
}

describe("a share that a refresh is given", () => {
  test("is forgotten when that is rejected", async () => {
    const { catalogue, state } = await following();
    state.override = () => new Error("away");
    await expect(catalogue.refresh()).rejects.toThrow("away");
    await expect(catalogue.refresh({ leastShare: 0 })).rejects.toThrow("away");
    Object.assign(state, { number: 2, token: "two", vehicles: fleet(4), override: undefined });
    await vi.waitFor(
      () =>
        expect(catalogue.health()).toMatchObject({
          vehicles: 10,
          problem: expect.stringContaining("at least 5"),
        }),
      { timeout: 60_000, interval: 5 },
    );
    await catalogue.refresh({ leastShare: 0 });
    expect(catalogue.health().vehicles).toBe(4);
  });

  for (const [first, second] of [
    [0, 0.9],
    [0.9, 0],
  ] as const) {
    test(`holds for that one, and no look waits for a poll: ${first}, then ${second}`, async () => {
      const { catalogue, state } = await following(Number.POSITIVE_INFINITY);
      Object.assign(state, { number: 2, token: "two", vehicles: fleet(4) });
      const looks = [first, second, undefined].map((leastShare) =>
        catalogue.refresh(leastShare === undefined ? {} : { leastShare }),
      );
      const outcomes = await Promise.allSettled(looks);
      // Who comes after the one that takes anything finds that it was taken.
      expect(outcomes.map(({ status }) => status)).toEqual([
        first === 0 ? "fulfilled" : "rejected",
        "fulfilled",
        "fulfilled",
      ]);
    });
  }
});

test("vehicles that are all others, though nothing says when they came, are refused when they are too few", async () => {
  const { catalogue, state } = await following();
  const before = new Set(state.vehicles.map(({ id }) => id));
  const others = fleet(4, 2);
  expect(others.filter(({ id }) => before.has(id))).toEqual([]);
  Object.assign(state, { number: 2, token: "two", vehicles: others });
  await expect(catalogue.refresh()).rejects.toMatchObject({ code: "shrunk" });
  expect(catalogue.health().vehicles).toBe(10);
  await catalogue.refresh({ leastShare: 0.4 });
  expect(catalogue.health().vehicles).toBe(4);
});

test("after the end there is nothing to refresh", async () => {
  const { catalogue } = await following();
  const before = catalogue.refresh();
  await catalogue.close();
  await before.catch(() => {});
  for (const leastShare of [undefined, 0])
    await expect(catalogue.refresh(leastShare === undefined ? {} : { leastShare })).rejects.toMatchObject({
      code: "unavailable",
    });
});

test("all who follow a database count changes by its clock, from when it was asked", async () => {
  const { catalogue, state } = await following();
  const asked = Date.UTC(2001, 0, 1);
  const [first, ...others] = fleet(10);
  const changed = { ...first!, usable_battery_size: 7, changedIn: 2 };
  Object.assign(state, { number: 2, token: "two", now: asked, vehicles: [changed, ...others] });
  state.override = (text) => {
    // While rows are fetched, time passes.
    if (text.startsWith("fetch")) state.now = asked + 5000;
    return undefined;
  };
  await catalogue.refresh();
  const snapshot = await catalogue.snapshot();
  expect(snapshot.updatedAt).toBe(asked);
  const since = await snapshot.find({ updatedSince: asked, offset: 0, limit: 10 });
  expect(since.vehicles.map(({ id }) => id)).toEqual([changed.id]);
});

describe("while the database is away, nobody waits for the next try", () => {
  /** A catalogue that has just failed, and tries again by itself only when time passes, which it does not. */
  async function waiting() {
    const { catalogue, state } = await following(Number.POSITIVE_INFINITY);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    state.override = () => new Error("away");
    await expect(catalogue.refresh()).rejects.toThrow("away");
    state.override = undefined;
    while (catalogue.health().failures === 0) await new Promise((resolve) => setImmediate(resolve));
    return { catalogue, state };
  }

  test("who asks for what is there now", async () => {
    const { catalogue, state } = await waiting();
    Object.assign(state, { number: 2, token: "two", vehicles: fleet(9) });
    await catalogue.refresh();
    expect(catalogue.health()).toMatchObject({ state: "live", vehicles: 9 });
  });

  test("who closes the catalogue", async () => {
    const { catalogue } = await waiting();
    await catalogue.close();
    expect(catalogue.health()).toMatchObject({ state: "closed", vehicles: 10 });
  });
});

test("what an operator adds is taken over from single changes, too", async () => {
  const extension = { attributes: { volts: { type: "integer" } } } as const;
  const [first, ...others] = fleet(3).map((vehicle, at) => ({ ...vehicle, volts: 10 * at }));
  const { state, server } = await fakeDatabase({ vehicles: [first!, ...others] });
  const catalogue = createPostgresCatalogue({ connection: server.connection, extension });
  onTestFinished(() => catalogue.close());
  await catalogue.ready();
  const changed = { ...first!, volts: 5, changedIn: 2 };
  Object.assign(state, { number: 2, token: "two", vehicles: [changed, ...others] });
  await catalogue.refresh();
  const found = await (await catalogue.snapshot()).find({ offset: 0, limit: 1, ids: [changed.id] });
  expect(found.vehicles).toMatchObject([{ volts: 5 }]);
});
