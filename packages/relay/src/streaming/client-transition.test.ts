import { compileFlags, createContext, type Evaluator, parseItem, tombstone } from "@wye/flag-evaluator";
import { describe, expect, test } from "vitest";
import { ClientTransition } from "./client-transition.js";
import { differencesBetween } from "./differences.js";

type Exposure = "browser" | "mobile" | "nobody";

interface Flag {
  readonly version: number;
  readonly value?: string;
  readonly seen?: Exposure;
  readonly rest?: object;
}

const flagJson = (key: string, { version, value = `v${version}`, seen = "browser", rest = {} }: Flag) =>
  JSON.stringify({
    ...{ key, version, on: false, offVariation: 0, variations: [value] },
    clientSideAvailability: {
      usingEnvironmentId: seen === "browser",
      usingMobileKey: seen === "mobile",
    },
    ...rest,
  });

const flags = (all: Readonly<Record<string, Flag>>): Evaluator =>
  compileFlags({}).apply({
    extent: "full",
    items: Object.entries(all).map(([key, flag]) => parseItem("flags", key, flagJson(key, flag))),
  });

const many = (count: number, version: number, seen?: Exposure): Record<string, Flag> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`f${index}`, seen ? { version, seen } : { version }]),
  );

/** What a stream of browsers is told, event by event. */
function told(before: Evaluator, after: Evaluator, audience: "browser" | "mobile" = "browser"): string[] {
  const transition = new ClientTransition(before, after, differencesBetween(before, after));
  const context = createContext({ kind: "user", key: "u" });
  const frame = transition.frameFor({ context, audience, withReasons: false });
  expect(transition.concerns(audience) || frame === undefined).toBe(true);
  return [...(frame?.event.toString() ?? "").matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(
    ([, name, data]) => {
      const { key, version } = JSON.parse(data ?? "") as { key?: string; version?: number };
      return name === "put" ? "put" : `${name} ${key} ${version}`;
    },
  );
}

describe("flags of greater versions are told one by one up to eight, and all flags beyond", () => {
  test.each([1, 8])("%i", (count) => {
    const events = told(flags(many(count, 1)), flags(many(count, 2)));
    expect(events).toEqual(Array.from({ length: count }, (_, index) => `patch f${index} 2`));
  });

  test("nine", () => {
    expect(told(flags(many(9, 1)), flags(many(9, 2)))).toEqual(["put"]);
  });

  test("those that the audience does not see are not counted", () => {
    const before = { ...many(20, 1, "mobile"), seen: { version: 1 } };
    const after = { ...many(20, 2, "mobile"), seen: { version: 2 } };
    expect(told(flags(before), flags(after))).toEqual(["patch seen 2"]);
    expect(told(flags(before), flags(after), "mobile")).toEqual(["put"]);
  });
});

test.each<{ what: string; before: Record<string, Flag>; after: Record<string, Flag>; events: string[] }>([
  { what: "nothing when nothing differs", before: many(2, 1), after: many(2, 1), events: [] },
  {
    what: "nothing when only what others see differs",
    before: { a: { version: 1, seen: "mobile" } },
    after: { a: { version: 2, seen: "nobody" } },
    events: [],
  },
  { what: "a new flag", before: {}, after: { a: { version: 3 } }, events: ["patch a 3"] },
  {
    what: "a flag that comes into sight",
    before: { a: { version: 1, seen: "nobody" } },
    after: { a: { version: 2 } },
    events: ["patch a 2"],
  },
  {
    what: "a flag that goes out of sight",
    before: { a: { version: 1 } },
    after: { a: { version: 2, seen: "mobile" } },
    events: ["delete a 2"],
  },
  {
    what: "an older version by all flags",
    before: { a: { version: 2 } },
    after: { a: { version: 1 } },
    events: ["put"],
  },
  {
    what: "the same version with something else by all flags",
    before: { a: { version: 2, value: "x" } },
    after: { a: { version: 2, value: "y" } },
    events: ["put"],
  },
  {
    what: "a flag that is not there any more by all flags",
    before: { a: { version: 2 } },
    after: {},
    events: ["put"],
  },
  {
    what: "what a hidden prerequisite makes of a flag by all flags",
    before: {
      hidden: {
        version: 1,
        seen: "nobody",
        rest: { on: true, fallthrough: { variation: 0 }, variations: [1, 2] },
      },
      a: {
        version: 1,
        rest: {
          on: true,
          fallthrough: { variation: 1 },
          variations: [1, 2],
          prerequisites: [{ key: "hidden", variation: 0 }],
        },
      },
    },
    after: {
      hidden: {
        version: 2,
        seen: "nobody",
        rest: { on: true, fallthrough: { variation: 1 }, variations: [1, 2] },
      },
      a: {
        version: 1,
        rest: {
          on: true,
          fallthrough: { variation: 1 },
          variations: [1, 2],
          prerequisites: [{ key: "hidden", variation: 0 }],
        },
      },
    },
    events: ["put"],
  },
])("a stream is told of $what", ({ before, after, events }) => {
  expect(told(flags(before), flags(after))).toEqual(events);
});

test("a tombstone of a greater version is a delete, and none where the flag was not seen", () => {
  const before = flags({ a: { version: 1 }, b: { version: 1, seen: "mobile" } });
  const after = before.apply({
    extent: "partial",
    items: [tombstone("flags", "a", 5), tombstone("flags", "b", 6)],
  });
  expect(told(before, after)).toEqual(["delete a 5"]);
  expect(told(before, after, "mobile")).toEqual(["delete b 6"]);
});

test("what one audience sees is not taken for what another one does", () => {
  const [before, after] = [flags({ a: { version: 1 } }), flags({ a: { version: 2 } })];
  const transition = new ClientTransition(before, after, differencesBetween(before, after));
  expect([transition.concerns("mobile"), transition.concerns("browser")]).toEqual([false, true]);
  expect([transition.concerns("mobile"), transition.concerns("browser")]).toEqual([false, true]);
});

test("a key may have quotes in it", () => {
  expect(told(flags({ 'a"b': { version: 1 } }), flags({ 'a"b': { version: 2 } }))).toEqual(['patch a"b 2']);
});
