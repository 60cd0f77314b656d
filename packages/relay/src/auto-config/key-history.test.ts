import { describe, expect, test } from "vitest";
import { nextKeys, withoutKeysOfOthers } from "./key-history.js";
import { Origins } from "./origins.js";
import { VersionedItems } from "./versioned-items.js";

const announced = (sdkKey: string, mobileKey = "", expiring?: readonly [key: string, expires: number]) => ({
  sdkKey,
  mobileKey,
  expiring: expiring && { key: expiring[0], expires: expiring[1] },
});

describe("the keys after an announcement", () => {
  const before = nextKeys(undefined, announced("new", "mob", ["old", 100]), 0);

  test("are those that it names", () => {
    expect(before).toEqual({ sdkKey: "new", mobileKey: "mob", expiring: [{ key: "old", expires: 100 }] });
    expect(nextKeys(undefined, announced("", ""), 0)).toEqual({ sdkKey: "", mobileKey: "", expiring: [] });
  });

  test("stay where it names none", () => {
    expect(nextKeys(before, announced(""), 99)).toEqual(before);
    expect(nextKeys(before, announced("newer"), 99)).toEqual({ ...before, sdkKey: "newer" });
    expect(nextKeys(before, announced("", "mob-2"), 99)).toEqual({ ...before, mobileKey: "mob-2" });
  });

  test.each([
    { now: 99, expiring: ["old", "new"] },
    { now: 100, expiring: ["new"] },
    { now: 199, expiring: ["new"] },
    { now: 200, expiring: [] },
  ])(
    "at $now are with those named before, oldest first, until their own moment: $expiring",
    ({ now, expiring }) => {
      const after = nextKeys(before, announced("newer", "", ["new", 200]), now);
      expect(after.expiring.map(({ key }) => key)).toEqual(expiring);
    },
  );

  test("have a key once, with the moment that was named last, and not one that is the present key", () => {
    expect(nextKeys(before, announced("", "", ["old", 300]), 0).expiring).toEqual([
      { key: "old", expires: 300 },
    ]);
    expect(nextKeys(before, announced("old"), 0).expiring).toEqual([]);
    expect(nextKeys(before, announced("", "", ["new", 50]), 0).expiring).toEqual(before.expiring);
    expect(nextKeys(before, announced("old", "", ["new", 50]), 0).expiring).toEqual([
      { key: "new", expires: 50 },
    ]);
  });
});

describe("items with versions", () => {
  test("are taken when they are newer than what was known, deleted or not", () => {
    const items = new VersionedItems<string>();
    const took = (["a", "b", "c"] as const).map((item, at) => items.upsert("x", [2, 2, 3][at] ?? 0, item));
    expect([took, items.get("x")]).toEqual([[true, false, true], "c"]);
    expect([items.delete("x", 3), items.get("x")]).toEqual([undefined, "c"]);
    expect([items.delete("x", 4), items.get("x"), [...items.entries()]]).toEqual(["c", undefined, []]);
    expect([items.delete("x", 5), items.upsert("x", 5, "late"), items.upsert("x", 6, "d")]).toEqual([
      undefined,
      false,
      true,
    ]);
    expect([items.isNewer("x", 6), items.isNewer("x", 7), items.isNewer("y", -5)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("are forgotten with their versions where they are not retained", () => {
    const items = new VersionedItems<string>();
    for (const id of ["a", "b", "c"]) items.upsert(id, 5, id);
    items.delete("c", 6);
    expect(items.retain(new Set(["a"]))).toEqual([["b", "b"]]);
    expect([...items.entries()]).toEqual([["a", "a"]]);
    expect(["a", "b", "c"].map((id) => items.upsert(id, 1, "new"))).toEqual([false, true, true]);
  });
});

describe("what an SDK key opens", () => {
  const keys = (sdkKey: string, expiring?: string) => ({
    sdkKey,
    expiring: expiring === undefined ? undefined : { key: expiring, expires: 1 },
    mobileKey: "",
  });

  test("is the same under whichever ID, and something else for each other key", () => {
    const origins = new Origins();
    const first = origins.take("a", keys("k1")).origin;
    const second = origins.take("b", keys("k2")).origin;
    expect(second).not.toBe(first);
    origins.leave("a");
    expect(origins.take("c", keys("k1"))).toEqual({ origin: first });
    expect([
      origins.isOpenedBy(first, "k1"),
      origins.isOpenedBy(first, "k2"),
      origins.isOpenedBy(first, "k9"),
    ]).toEqual([true, false, false]);
  });

  test("is what the one opens that expires beside it, whichever of both is known", () => {
    const origins = new Origins();
    const { origin } = origins.take("a", keys("k1"));
    expect(origins.take("b", keys("k2", "k1"))).toEqual({ origin });
    expect(origins.take("c", keys("k2"))).toEqual({ origin });
  });

  test("is what the ID has had, for a key that nobody knows, unless that is under another ID now", () => {
    const origins = new Origins();
    const { origin } = origins.take("a", keys("k1"));
    expect(origins.take("a", keys("k2"))).toEqual({ origin });
    expect(origins.take("b", keys("k1")).origin).toBe(origin);
    expect(origins.take("b", keys("k3")).origin).toBe(origin);
    const other = origins.take("a", keys("k4")).origin;
    expect(other).not.toBe(origin);
  });

  test("is something else than was guessed when what was guessed appears elsewhere with its key", () => {
    const origins = new Origins();
    const { origin } = origins.take("a", keys("k1"));
    origins.take("a", keys("k2"));
    expect(origins.take("b", keys("k1"))).toEqual({ origin, mistaken: "a" });
    expect(origins.isOpenedBy(origin, "k2")).toBe(false);
    expect(origins.take("a", keys("k2")).origin).not.toBe(origin);
  });

  test("is no mistake where both are named together, or under the same ID, or where nothing was guessed", () => {
    const together = new Origins();
    const { origin } = together.take("a", keys("k1"));
    together.take("a", keys("k2"));
    expect(together.take("b", keys("k1", "k2"))).toEqual({ origin });
    const same = new Origins();
    same.take("a", keys("k1"));
    same.take("a", keys("k2"));
    expect(same.take("a", keys("k1"))).not.toHaveProperty("mistaken");
    const certain = new Origins();
    certain.take("a", keys("k1"));
    certain.take("a", keys("k2", "k1"));
    expect(certain.take("b", keys("k1"))).not.toHaveProperty("mistaken");
  });

  test("stays what it is for a name without keys", () => {
    const origins = new Origins();
    const { origin } = origins.take("a", keys("k1"));
    expect(origins.take("a", keys("")).origin).toBe(origin);
    expect(origins.take("b", keys("")).origin).not.toBe(origin);
    expect(origins.take("c", keys("", "k1")).origin).not.toBe(origin);
  });
});

describe("a key that is remembered for an environment", () => {
  const named = (sdkKey: string, expiring?: string) => ({
    sdkKey,
    expiring: expiring === undefined ? undefined : { key: expiring, expires: 1 },
  });
  /** What stays of the keys of `a` that expire, and whose keys have changed. */
  const staying = (
    expiring: readonly string[],
    namings: Readonly<Record<string, ReturnType<typeof named>>>,
  ) => {
    const all = new Map(
      Object.keys({ a: {}, ...namings }).map((id) => [
        id,
        {
          sdkKey: `sdk-${id}`,
          mobileKey: `mob-${id}`,
          expiring: id === "a" ? expiring.map((key) => ({ key, expires: 1 })) : [],
        },
      ]),
    );
    const changed = withoutKeysOfOthers(all, (id) => namings[id]);
    const keys = changed.get("a") ?? all.get("a");
    expect(keys).toMatchObject({ sdkKey: "sdk-a", mobileKey: "mob-a" });
    return [keys?.expiring.map(({ key }) => key), [...changed.keys()]];
  };

  test.each([
    { what: "is named for nobody", namings: { a: named("x"), b: named("y", "z") }, stays: true },
    { what: "is the key of another one", namings: { a: named("x"), b: named("k") }, stays: false },
    { what: "expires for another one", namings: { a: named("x"), b: named("y", "k") }, stays: false },
    { what: "expires for it as well", namings: { a: named("x", "k"), b: named("k") }, stays: true },
    {
      what: "is the key of another one beside one that",
      namings: { a: named("x", "other"), b: named("k") },
      stays: false,
    },
    { what: "is its own key", namings: { a: named("k"), b: named("y") }, stays: true },
    { what: "is that of one that is not named", namings: { b: named("k") }, stays: false },
  ])("and $what stays: $stays", ({ namings, stays }) => {
    expect(staying(["other", "k"], namings)).toEqual(stays ? [["other", "k"], []] : [["other"], ["a"]]);
  });
});
