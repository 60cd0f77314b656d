import { describe, expect, test } from "vitest";
import { createManualClock } from "../testing/manual-clock.js";
import { readEventContext } from "./event-context.js";
import { eventFlag } from "./event-flag.js";
import { isTypedEvent } from "./is-typed-event.js";
import { createRecentKeys } from "./recent-keys.js";

describe("whom an event is about", () => {
  test.each([
    [{ key: "u" }, { kinds: ["user"], keys: { user: "u" }, fullKey: '[["user","u"]]' }],
    [
      { key: "", kind: "org" },
      { kinds: ["org"], keys: { org: "" }, fullKey: '[["org",""]]' },
    ],
    [
      { kind: "multi", org: { key: "o" }, device: { key: "d", kind: "x" } },
      { kinds: ["device", "org"], keys: { device: "d", org: "o" }, fullKey: '[["device","d"],["org","o"]]' },
    ],
  ])("%j", (value, context) => {
    expect(readEventContext(value)).toEqual(context);
  });

  test("is the same whatever the order of the kinds", () => {
    const [a, b] = [{ key: "1" }, { key: "2" }];
    const first = readEventContext({ kind: "multi", a, b });
    expect(readEventContext({ b, a, kind: "multi" })).toEqual(first);
    expect(readEventContext({ b: a, a: b, kind: "multi" })?.fullKey).not.toBe(first?.fullKey);
  });

  test.each([
    undefined,
    null,
    "u",
    [[{ key: "u" }]],
    {},
    { key: 5 },
    { kind: "", key: "u" },
    { kind: 5, key: "u" },
    { kind: null, key: "u" },
    { kind: "multi" },
    { kind: "multi", a: { key: "1" }, b: {} },
    { kind: "multi", a: { key: "1" }, b: null },
    { kind: "multi", a: "key" },
  ])("is nobody: %j", (value) => {
    expect(readEventContext(value)).toBeUndefined();
  });

  test.each([
    { kinds: 1000, isSomebody: true },
    { kinds: 1001, isSomebody: false },
  ])("of $kinds kinds is somebody: $isSomebody", ({ kinds, isSomebody }) => {
    const parts = Array.from({ length: kinds }, (_, n) => [`k${n}`, { key: "x" }]);
    const value = { kind: "multi", ...Object.fromEntries(parts) };
    expect(readEventContext(value)?.kinds.length).toBe(isSomebody ? kinds : undefined);
    // Attributes are no kinds.
    expect(readEventContext({ ...value, kind: "user", key: "u" })?.kinds).toEqual(["user"]);
  });
});

describe("what events need of a flag", () => {
  const flagOf = (flag: object) => eventFlag({ json: JSON.stringify(flag) });

  test.each([
    [{}, false, 0],
    [{ trackEvents: true, debugEventsUntilDate: 5 }, true, 5],
    [{ trackEvents: "true", debugEventsUntilDate: "5" }, false, 0],
    [{ trackEvents: false, debugEventsUntilDate: null }, false, 0],
  ])("%j", (flag, trackEvents, debugUntil) => {
    expect(flagOf(flag)).toMatchObject({ trackEvents, debugUntil });
  });

  test("is the first variation that has a value, whatever the order of its members", () => {
    const { variationOf } = flagOf({
      variations: ["a", 1, "a", { x: 1, y: [{ p: 1, q: 2 }] }, null, [1, 2], true, "b"],
    });
    const values = ["a", 1, { y: [{ q: 2, p: 1 }], x: 1 }, null, [1, 2], true, "b"];
    expect(values.map(variationOf)).toEqual([0, 1, 3, 4, 5, 6, 7]);
    expect(["c", 2, [2, 1], { x: 1 }, false, { x: 1, y: [{ p: 2, q: 1 }] }, "1"].map(variationOf)).toEqual(
      Array(7).fill(undefined),
    );
  });

  test("is no variation where there are none", () => {
    expect(flagOf({}).variationOf(null)).toBeUndefined();
    expect(flagOf({ variations: "abc" }).variationOf("a")).toBeUndefined();
  });

  test("is read once for each flag", () => {
    const flag = { json: "{}" };
    expect(eventFlag(flag)).toBe(eventFlag(flag));
    expect(eventFlag({ json: "{}" })).not.toBe(eventFlag(flag));
  });
});

describe("members that are counted have their types", () => {
  const numbers = ["creationDate", "debugEventsUntilDate", "samplingRatio", "metricValue"];
  const integers = ["version", "variation"];
  const truths = ["trackEvents", "excludeFromSummaries"];
  const cases: [name: string, value: unknown, isRight: boolean][] = [
    ...[...numbers, ...integers, ...truths].flatMap((name): [string, unknown, boolean][] => [
      [name, null, true],
      [name, undefined, true],
      [name, "1", false],
      [name, [], false],
    ]),
    ...numbers.flatMap((name): [string, unknown, boolean][] => [
      [name, 1.5, true],
      [name, -1, true],
      [name, 2 ** 60, true],
      [name, Number.POSITIVE_INFINITY, false],
      [name, true, false],
    ]),
    ...integers.flatMap((name): [string, unknown, boolean][] => [
      [name, 5, true],
      [name, 1.5, false],
      [name, 2 ** 53, false],
      [name, false, false],
    ]),
    ...truths.flatMap((name): [string, unknown, boolean][] => [
      [name, true, true],
      [name, false, true],
      [name, 1, false],
    ]),
    ["other", {}, true],
  ];
  test.each(cases)("%s: %j is right: %s", (name, value, isRight) => {
    expect(isTypedEvent({ kind: "feature", version: 1, [name]: value })).toBe(isRight);
  });
});

test("keys are remembered for five minutes, the last ten thousand of them", () => {
  const clock = createManualClock();
  const keys = createRecentKeys(clock);
  expect([keys.add("a"), keys.add("a"), keys.add("b")]).toEqual([true, false, true]);
  clock.advance(299_999);
  expect(keys.add("a")).toBe(false);
  clock.advance(1);
  expect([keys.add("a"), keys.add("a"), keys.add("b")]).toEqual([true, false, true]);
  clock.advance(299_999);
  expect(keys.add("b")).toBe(false);
  // With these two there are ten thousand; what was seen last is forgotten last.
  for (let n = 0; n < 9998; n++) keys.add(`${n}`);
  expect(keys.add("a")).toBe(false);
  expect([keys.add("another"), keys.add("a"), keys.add("b")]).toEqual([true, false, true]);
});
