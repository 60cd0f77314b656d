import { createContext, parseItem, tombstone } from "@wye/flag-evaluator";
import { describe, expect, test } from "vitest";
import { FlagSet } from "./flag-set.js";

const alice = createContext({ kind: "user", key: "alice" });
const flag = (key: string, version: number, on: boolean) =>
  parseItem(
    "flags",
    key,
    JSON.stringify({
      key,
      version,
      on,
      variations: [true, false],
      fallthrough: { variation: 0 },
      offVariation: 1,
    }),
  );
const segment = (key: string, version: number) =>
  parseItem("segments", key, JSON.stringify({ key, version, included: [] }));
const full = (...items: ReturnType<typeof flag>[]) => ({ extent: "full", items }) as const;
const partial = (...items: ReturnType<typeof flag>[]) => ({ extent: "partial", items }) as const;

describe("a change of several items", () => {
  test("is applied at once: an evaluator has all of it or nothing", () => {
    const flags = new FlagSet();
    flags.apply(full(flag("a", 1, false), flag("b", 1, false), flag("gone", 1, true)));
    const before = flags.evaluator;
    expect(
      flags.apply(
        partial(flag("a", 2, true), segment("s", 1), tombstone("flags", "gone", 2), flag("b", 1, true)),
      ),
    ).toBe(true);
    expect(before.evaluate("a", alice).value).toBe(false);
    expect(before.item("segments", "s")).toBeUndefined();
    expect(flags.evaluator.evaluate("a", alice).value).toBe(true);
    expect(flags.evaluator.evaluate("b", alice).value).toBe(false);
    expect(flags.get("flags", "gone")).toBeUndefined();
    expect(flags.get("segments", "s")?.version).toBe(1);
  });

  test("changes nothing when none is newer", () => {
    const flags = new FlagSet();
    flags.apply(full(flag("a", 2, true)));
    const { evaluator } = flags;
    expect(flags.apply(partial(flag("a", 2, false), tombstone("flags", "a", 1)))).toBe(false);
    expect(flags.evaluator).toBe(evaluator);
  });

  test("takes the newest of several versions, whatever their order", () => {
    const flags = new FlagSet();
    flags.apply(partial(flag("a", 2, false), flag("a", 4, true), flag("a", 3, false)));
    expect(flags.get("flags", "a")?.version).toBe(4);
    expect(flags.complete).toBe(false);
  });
});

test("a full set counts whatever its versions, and only items of it are left", () => {
  const flags = new FlagSet();
  flags.apply(full(flag("a", 5, true), flag("b", 1, true), segment("s", 1)));
  expect(flags.apply(full(flag("a", 2, false)))).toBe(true);
  expect(flags.evaluator.items("flags").map(({ key, version }) => [key, version])).toEqual([["a", 2]]);
  expect(flags.evaluator.items("segments")).toEqual([]);
  expect(flags.complete).toBe(true);
});

test("what is made of the flags is made once for each state", () => {
  const flags = new FlagSet();
  let made = 0;
  const count = () => ++made;
  flags.apply(full(flag("a", 1, true)));
  expect([flags.derive(count), flags.derive(count)]).toEqual([1, 1]);
  flags.apply(partial(flag("a", 1, false)));
  expect(flags.derive(count)).toBe(1);
  flags.apply(partial(flag("a", 2, false)));
  expect(flags.derive(count)).toBe(2);
});

describe("what cannot be used as a change is refused with what is wrong, and nothing changes", () => {
  const items: unknown[] = [];
  const extents = 'the extent of a change must be "full" or "partial"';
  const selectors = "the selector of a change must have a state and a version";
  test.each([
    [undefined, "a change must be an object"],
    [null, "a change must be an object"],
    ["full", "a change must be an object"],
    [{ items }, extents],
    [{ extent: "all", items }, extents],
    [{ extent: "full" }, "the items of a change must be a list"],
    [{ extent: "partial", items: {} }, "the items of a change must be a list"],
    [{ extent: "full", items, selector: null }, selectors],
    [{ extent: "full", items, selector: "state" }, selectors],
    [{ extent: "full", items, selector: { state: "a" } }, selectors],
    [{ extent: "full", items, selector: { version: 1 } }, selectors],
    [{ extent: "full", items, selector: { state: 1, version: 1 } }, selectors],
    [{ extent: "full", items, selector: { state: "a", version: "1" } }, selectors],
  ])("%j: %s", (change, message) => {
    const flags = new FlagSet();
    const before = flags.evaluator;
    // What sources and stores of hosts give.
    const apply = () => flags.apply(change as ReturnType<typeof full>);
    expect(apply).toThrow(expect.objectContaining({ code: "malformed_data", message }));
    expect([flags.evaluator === before, flags.complete]).toEqual([true, false]);
  });

  test.each([
    { extent: "full", items: [], selector: { state: "a", version: 1 } },
    { extent: "full", items: [], selector: undefined },
  ] as const)("but not %j", (change) => {
    const flags = new FlagSet();
    expect(flags.apply(change)).toBe(true);
    expect(flags.complete).toBe(true);
    // The same once more says nothing new.
    expect(flags.apply(change)).toBe(false);
  });
});

test("deleted items and those that cannot be read are not given, nor is what cannot be read listed", () => {
  const flags = new FlagSet();
  const unreadable = parseItem("flags", "odd", "5");
  flags.apply(full(flag("a", 1, true), tombstone("flags", "gone", 2), unreadable, segment("s", 1)));
  const found = ["a", "gone", "odd", "never"].map((key) => flags.get("flags", key)?.key);
  expect([...found, flags.get("segments", "s")?.key, flags.get("segments", "a")]).toEqual([
    "a",
    undefined,
    undefined,
    undefined,
    "s",
    undefined,
  ]);
  expect(flags.items.map(({ key }) => key).sort()).toEqual(["a", "gone", "s"]);
});

test("what a change has that cannot be used is told with its cause", () => {
  const flags = new FlagSet();
  // What a source of the host gives.
  const items = [null] as unknown as ReturnType<typeof flag>[];
  expect(() => flags.apply(full(...items))).toThrow(
    expect.objectContaining({ code: "malformed_data", cause: expect.any(TypeError) }),
  );
  expect(flags.complete).toBe(false);
});
