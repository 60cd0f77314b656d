import { createContext, parseItem } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { FlagSet } from "../flag-set.js";
import { Transition } from "./transition.js";

const flag = (key: string, version: number, seen: "browser" | "mobile") =>
  parseItem(
    "flags",
    key,
    JSON.stringify({
      ...{ key, version, on: false, offVariation: 0, variations: [version] },
      clientSideAvailability: { usingEnvironmentId: seen === "browser", usingMobileKey: seen === "mobile" },
    }),
  );
const segment = (version: number) => parseItem("segments", "s", JSON.stringify({ key: "s", version }));

/** What leads from first versions to second ones. */
function setUp() {
  const flags = new FlagSet();
  flags.apply({ extent: "full", items: [flag("a", 1, "browser"), segment(1)] });
  const { evaluator } = flags;
  flags.apply({ extent: "partial", items: [flag("a", 2, "browser"), segment(2)] });
  return new Transition(flags, evaluator);
}

test.each([
  { channel: "all", audience: "mobile", told: ["/flags/a", "/segments/s"] },
  { channel: "flags", audience: "mobile", told: ["/a"] },
] as const)("a stream of $channel is told $told, whoever has asked before", ({ channel, audience, told }) => {
  const transition = setUp();
  const other = channel === "all" ? "flags" : "all";
  const before = transition.frameFor({ channel: other, audience });
  const frame = transition.frameFor({ channel, audience });
  const paths = [...String(frame?.event).matchAll(/"path":"([^"]*)"/g)].map(([, path]) => path);
  expect(paths).toEqual(told);
  expect(before).not.toBe(frame);
  expect(transition.frameFor({ channel, audience })).toBe(frame);
});

test("a ping is for those only who may see what has changed", () => {
  const transition = setUp();
  const ping = transition.frameFor({ channel: "ping", audience: "browser" });
  expect(String(ping?.event)).toBe("event: ping\ndata:  \n\n");
  expect(transition.frameFor({ channel: "ping", audience: "mobile" })).toBeUndefined();
});

test("a stream with a view is told what its context gets, in its own words", () => {
  const context = createContext({ kind: "user", key: "u" });
  const told = (audience: "browser" | "mobile", withReasons: boolean) => {
    const view = { context, audience, withReasons } as const;
    return setUp().frameFor({ channel: "client", audience, view })?.event.toString();
  };
  expect(told("browser", false)).toMatch(/^event: patch\ndata: \{"key":"a",.*"version":2/);
  expect(told("browser", false)).not.toContain("reason");
  expect(told("browser", true)).toContain('"reason":{"kind":"OFF"}');
  expect(told("mobile", false)).toBeUndefined();
});
