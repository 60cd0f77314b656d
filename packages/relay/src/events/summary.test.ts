import { describe, expect, test } from "vitest";
import { createSummary } from "./summary.js";

/** A summary with so much memory. */
function create(bytes: number) {
  let left = bytes;
  const summary = createSummary({
    take(amount) {
      if (amount > left) return false;
      left -= amount;
      return true;
    },
    giveBack(amount) {
      left += amount;
    },
  });
  return { summary, left: () => left };
}

const event = (n: number, long = false) => ({
  key: `flag-${long ? "x".repeat(n) : n}`,
  version: 1,
  variation: 0,
  value: true,
  creationDate: 5,
});

describe("whatever a client makes up is paid for", () => {
  const shapes: Record<string, (n: number) => [Readonly<Record<string, unknown>>, readonly string[]]> = {
    "ever new flags": (n) => [event(n), ["user"]],
    "a long name": (n) => [event(100 * n, true), ["user"]],
    "a long default": (n) => [{ ...event(n), default: "d".repeat(100 * n) }, ["user"]],
    "ever new variations": (n) => [{ ...event(0), variation: n }, ["user"]],
    "ever new versions": (n) => [{ ...event(0), version: n }, ["user"]],
    "long values": (n) => [{ ...event(0), variation: n, value: "v".repeat(100 * n) }, ["user"]],
    "ever new kinds": (n) => [event(0), [`kind-${n}`]],
    "a long kind": (n) => [event(0), ["k".repeat(100 * n)]],
  };
  for (const [name, shape] of Object.entries(shapes)) {
    test(name, () => {
      const memory = 100_000;
      const { summary, left } = create(memory);
      let counted = 0;
      let text = 0;
      while (counted < 10_000) {
        const [given, kinds] = shape(counted);
        if (!summary.count(given, kinds)) break;
        counted++;
        text += JSON.stringify([given.key, given.default, given.value, kinds]).length;
      }
      expect(counted).toBeGreaterThan(5);
      expect(counted).toBeLessThan(2000);
      // What it has kept at least: what is the same is kept once.
      expect(memory - left()).toBeGreaterThan(name.startsWith("ever") ? 64 * counted : text);
      // What it has counted before still counts, and costs nothing.
      const before = left();
      expect(summary.count(...shape(0))).toBe(true);
      expect(left()).toBe(before);
      const taken: { features: Record<string, { counters: { count: number }[] }> } = JSON.parse(
        summary.take() ?? "",
      );
      const counters = Object.values(taken.features).flatMap((feature) => feature.counters);
      expect(counters.reduce((sum, { count }) => sum + count, 0)).toBe(counted + 1);
      expect(left()).toBe(memory);
      expect(summary.take()).toBeUndefined();
      expect(left()).toBe(memory);
    });
  }
});

test("what had no memory for all of it is in no summary, and gives back what it had", () => {
  // Enough for a flag and a counter, and not for the kind of the context.
  for (const bytes of [500, 1200, 1500]) {
    const { summary, left } = create(bytes);
    expect(summary.count(event(0), ["k".repeat(1000)]), `${bytes}`).toBe(false);
    expect(summary.take()).toBeUndefined();
    expect(left()).toBe(bytes);
  }
});

test("the time of a summary goes from its earliest event to its latest, in whatever order they came", () => {
  const { summary } = create(100_000);
  const times = () => {
    const { startDate, endDate } = JSON.parse(summary.take() ?? "{}");
    return [startDate, endDate];
  };
  for (const creationDate of [7, 3, 9, 5]) summary.count({ ...event(0), creationDate }, ["user"]);
  expect(times()).toEqual([3, 9]);
  for (const creationDate of [undefined, 4]) summary.count({ ...event(0), creationDate }, ["user"]);
  expect(times()).toEqual([4, 4]);
  summary.count({ ...event(0), creationDate: undefined }, ["user"]);
  expect(times()).toEqual([0, 0]);
});

test.each([null, undefined])(
  "a flag whose version is %s was unknown, and is so without a version",
  (version) => {
    const { summary } = create(100_000);
    summary.count({ ...event(0), version, default: 1 }, ["user"]);
    expect(summary.take()).toBe(
      '{"kind":"summary","startDate":5,"endDate":5,"features":{"flag-0":{"default":1,"counters":[{"unknown":true,"variation":0,"value":true,"count":1}],"contextKinds":["user"]}}}',
    );
  },
);

test("what was counted without a value has null, and a counter that has counted nothing is in no summary", () => {
  const { summary } = create(3000);
  expect(summary.count({ key: "f", version: 1, variation: 0 }, ["user"])).toBe(true);
  expect(summary.count({ key: "f", version: 1, variation: 1 }, ["k".repeat(1000)])).toBe(false);
  expect(JSON.parse(summary.take() ?? "").features.f.counters).toEqual([
    { version: 1, variation: 0, value: null, count: 1 },
  ]);
});

test.each<[string, object, readonly string[], number]>([
  ["a flag", { key: "flag-1" }, ["user"], 1024 + 256 + 64],
  ["a variation", { variation: 1 }, ["user"], 256],
  ["a kind", {}, ["org"], 64],
])("%s costs what keeping it takes, and two bytes for each character", (_what, other, kinds, least) => {
  const { summary, left } = create(100_000);
  summary.count(event(0), ["user"]);
  const before = left();
  summary.count({ ...event(0), ...other }, kinds);
  expect(before - left()).toBeGreaterThan(least);
  expect(before - left()).toBeLessThan(least + 200);
  const costOf = (length: number) => {
    const longer = create(100_000);
    longer.summary.count({ ...event(0), key: "k".repeat(length) }, ["k".repeat(length)]);
    return 100_000 - longer.left();
  };
  expect(costOf(110) - costOf(100)).toBe(40);
});

test("versions and variations whose digits are the same in a row are counted apart", () => {
  const { summary } = create(100_000);
  for (const [variation, version] of [
    [1, 11],
    [11, 1],
  ])
    summary.count({ ...event(0), variation, version }, ["user"]);
  expect(JSON.parse(summary.take() ?? "").features["flag-0"].counters).toMatchObject([
    { variation: 1, version: 11, count: 1 },
    { variation: 11, version: 1, count: 1 },
  ]);
});
