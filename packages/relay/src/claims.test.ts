import { describe, expect, test } from "vitest";
import { changingPlaces, ownersOf } from "./changing-places.js";
import { type ClaimingOptions, claimsOf, endOf, keyOf, nextEndOf } from "./claims.js";
import { undisputedOptions } from "./undisputed-options.js";

const now = 1_700_000_000_000;

test("a further key is a text, or has a moment at which it ends", () => {
  expect([keyOf("a"), keyOf({ key: "b" })]).toEqual(["a", "b"]);
  const moments = [now, new Date(now).toISOString(), new Date(now)];
  expect(moments.map((expires) => endOf({ key: "a", expires }))).toEqual([now, now, now]);
  expect([endOf("a"), endOf({ key: "a" })]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
});

test("the keys of an environment are told apart by their kinds, and those that have ended are none", () => {
  expect(claimsOf({ sdkKey: "k" }, now)).toEqual(["sdkKey k"]);
  const options = {
    sdkKey: "k",
    mobileKey: "k",
    envId: "k",
    furtherSdkKeys: ["a", { key: "b", expires: now }, { key: "c", expires: now + 1 }],
    furtherMobileKeys: [{ key: "d", expires: now - 1 }, { key: "e" }],
  };
  expect(claimsOf(options, now)).toEqual([
    ..."kac".split("").map((key) => `sdkKey ${key}`),
    "mobileKey k",
    "mobileKey e",
    "envId k",
  ]);
});

describe("those that change places", () => {
  type Given = Readonly<Record<string, string | ClaimingOptions>>;
  const environments = (given: Given) =>
    new Map(
      Object.entries(given).map(([name, one]) => [name, typeof one === "string" ? { sdkKey: one } : one]),
    );
  const running = environments({ a: "1", b: "2", c: "3", d: { sdkKey: "4", mobileKey: "m" } });
  const old = { sdkKey: "5", furtherSdkKeys: [{ key: "2", expires: now }] };

  test("are found by who has what", () => {
    expect(Object.fromEntries(ownersOf(running, now))).toEqual({
      "sdkKey 1": "a",
      "sdkKey 2": "b",
      "sdkKey 3": "c",
      "sdkKey 4": "d",
      "mobileKey m": "d",
    });
  });

  const cases: readonly [why: string, wanted: Given, names: readonly string[]][] = [
    ["two want what the other has", { a: "2", b: "1" }, ["a", "b"]],
    ["three go round", { a: "2", b: "3", c: "1" }, ["a", "b", "c"]],
    ["one wants a new key", { a: "2", b: "9" }, []],
    ["one wants what nobody of them gives up", { a: "2", b: "4" }, []],
    ["two want the same", { a: "2", b: "1", c: "2" }, ["a", "b"]],
    ["one wants its own", { a: "1", b: "2" }, []],
    ["one wants a key more of somebody else", { a: { sdkKey: "2", mobileKey: "m" }, b: "1" }, []],
    ["one wants a key more that nobody has", { a: { sdkKey: "2", mobileKey: "x" }, b: "1" }, ["a", "b"]],
    ["a key has ended", { a: old, b: "1" }, []],
    ["there is nobody", {}, []],
  ];
  test.each(cases)("where %s", (_, wanted, names) => {
    const places = changingPlaces(Object.keys(wanted), environments(wanted), running, now);
    expect([...places]).toEqual(names);
  });

  test("are none of whom nothing is wanted", () => {
    expect([...changingPlaces(["a", "b"], environments({ a: "2" }), running, now)]).toEqual([]);
  });
});

describe("what can be had of options", () => {
  const running = {
    sdkKey: "s1",
    mobileKey: "m1",
    furtherSdkKeys: ["s0"],
    furtherMobileKeys: ["m0"],
    filters: ["web", "app"],
  };
  const wanted = {
    sdkKey: "s2",
    mobileKey: "m2",
    furtherSdkKeys: ["s0", "s9"],
    furtherMobileKeys: ["m0", "m9"],
    filters: ["app", "new"],
  };
  const never = Number.POSITIVE_INFINITY;
  const given = (options: Parameters<typeof undisputedOptions>[0], ...others: readonly string[]) =>
    undisputedOptions(options, running, (claim) => others.includes(claim));
  const all = { ...wanted, filters: ["app"] };

  test("is all but new payload filters, where nobody else has any of the keys", () => {
    expect(given(wanted)).toEqual({ options: all, until: never });
    expect(given({ sdkKey: "s2" })).toEqual({
      options: { sdkKey: "s2", furtherSdkKeys: [], furtherMobileKeys: [], filters: [] },
      until: never,
    });
    const { filters: _, ...unfiltered } = running;
    expect(undisputedOptions(wanted, unfiltered, () => false).options.filters).toEqual([]);
  });

  test.each(["sdkKey s2", "sdkKey s9"])(
    "where somebody else has %s the SDK key stays, and nothing new comes with it",
    (others) => {
      expect(given(wanted, others)).toEqual({
        options: {
          sdkKey: "s1",
          mobileKey: "m1",
          furtherSdkKeys: ["s0"],
          furtherMobileKeys: ["m0"],
          filters: ["app"],
        },
        until: never,
      });
    },
  );

  test("mobile keys come where the former SDK key is listed as well, which then has an end", () => {
    const furtherSdkKeys = [{ key: "s1", expires: now }, "s9", "s0"];
    expect(given({ ...wanted, furtherSdkKeys }, "sdkKey s2")).toEqual({
      options: {
        sdkKey: "s1",
        mobileKey: "m2",
        furtherSdkKeys: ["s0"],
        furtherMobileKeys: ["m0", "m9"],
        filters: ["app"],
      },
      until: now,
    });
  });

  test("where somebody else has the mobile key, or a further one, that one stays as it was", () => {
    expect(given(wanted, "mobileKey m2")).toEqual({ options: { ...all, mobileKey: "m1" }, until: never });
    expect(given(wanted, "mobileKey m9")).toEqual({
      options: { ...all, furtherMobileKeys: ["m0"] },
      until: never,
    });
    expect(given(wanted, "mobileKey s2", "envId s2")).toEqual({ options: all, until: never });
  });

  test("where the SDK key is the same a further one of somebody else is left out alone, and the end of another one is none", () => {
    const same = { ...wanted, sdkKey: "s1", furtherSdkKeys: ["s9", "s8", { key: "s1", expires: now }] };
    expect(given(same, "sdkKey s9")).toEqual({
      options: { ...all, sdkKey: "s1", furtherSdkKeys: ["s8"] },
      until: never,
    });
  });

  test("is no mobile key where none is wanted, also if there was one", () => {
    const { mobileKey: _, ...without } = wanted;
    expect(given(without).options).not.toHaveProperty("mobileKey");
  });

  test("a further mobile key is not listed twice", () => {
    expect(given({ ...wanted, furtherMobileKeys: ["m1", "m2"] }, "mobileKey m2").options).toMatchObject({
      mobileKey: "m1",
      furtherMobileKeys: [],
    });
  });
});

test("the next end is that of the further key which ends first from now on, of whichever kind", () => {
  const ending = (...moments: number[]) => moments.map((expires) => ({ key: "a", expires }));
  const environments: ClaimingOptions[] = [
    { sdkKey: "a" },
    { sdkKey: "b", furtherSdkKeys: ["c", ...ending(now - 1, now, now + 30)] },
    { sdkKey: "d", furtherSdkKeys: ending(now + 40), furtherMobileKeys: ending(now + 20, now + 50) },
  ];
  expect(nextEndOf(environments, now)).toBe(now + 20);
  expect(nextEndOf(environments, now + 20)).toBe(now + 30);
  expect(nextEndOf(environments, now + 50)).toBe(Number.POSITIVE_INFINITY);
});
