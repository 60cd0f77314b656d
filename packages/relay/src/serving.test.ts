import { parseItem } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import type { Change } from "./change.js";
import { FlagSet } from "./flag-set.js";
import { silentLogger } from "./logger.js";
import { type ServingParts, serveChange, serveStored } from "./serving.js";
import { atOnce } from "./steps.js";

/** What serves, and what it tells whom. */
function setUp() {
  const told: string[] = [];
  const tell = (what: string) => (more: unknown) => void told.push(`${what} ${String(more)}`);
  const flags = new FlagSet();
  const parts = {
    flags,
    streams: { update: () => told.push("streams") },
    bigSegments: { look: (change: Change) => told.push(`segments of ${change.items.length}`) },
    meter: { countUpdate: tell("count") },
    logger: { ...silentLogger, info: tell("info"), error: tell("error") },
  } as unknown as ServingParts;
  return {
    serve: (change: Change) => {
      atOnce(serveChange(parts, change));
      return told.splice(0);
    },
    serveFromStore: (change: Change) => {
      atOnce(serveStored(parts, change));
      return told.splice(0);
    },
  };
}

const flag = (version: number, more = "") =>
  parseItem("flags", "a", `{"key":"a","version":${version},"on":false${more}}`);
const full = (...items: ReturnType<typeof flag>[]): Change => ({ extent: "full", items });
const patch = (...items: ReturnType<typeof flag>[]): Change => ({ extent: "partial", items });
const untilThen = "info serving the flags of the data store until upstream delivers";

test("what a store has is served until upstream delivers, which is said once", () => {
  const { serve, serveFromStore } = setUp();
  expect(serveFromStore(full(flag(1)))).toEqual(["info has data", "segments of 1", "streams", untilThen]);
  expect(serveFromStore(full(flag(2)))).toEqual(["segments of 1", "streams"]);
  expect(serve(full(flag(3)))).toEqual(["segments of 1", "streams", "count put"]);
});

test("what a store has behind upstream is served, and nothing said of it", () => {
  const { serve, serveFromStore } = setUp();
  expect(serve(full(flag(1)))).toEqual(["info has data", "segments of 1", "streams", "count put"]);
  expect(serveFromStore(full(flag(2)))).toEqual(["segments of 1", "streams"]);
});

test("there is data once everything has come, and not when a part has", () => {
  const { serve, serveFromStore } = setUp();
  expect(serve(patch(flag(1)))).not.toContain("info has data");
  expect(serve(patch(flag(2)))).not.toContain("info has data");
  expect(serveFromStore(full(flag(3)))).toEqual(["info has data", "segments of 1", "streams", untilThen]);
});

test("what changes nothing is told to nobody", () => {
  const { serve, serveFromStore } = setUp();
  serve(full(flag(2)));
  expect(serve(full(flag(2)))).toEqual([]);
  expect(serve(patch(flag(1)))).toEqual([]);
  expect(serveFromStore(full(flag(2)))).toEqual([]);
  expect(serve(patch(flag(3)))).toEqual(["segments of 1", "streams", "count item"]);
});

test("what is malformed is told when it comes, and not when another flag does", () => {
  const { serve } = setUp();
  const [problem] = serve(full(flag(1, ',"variations":5')));
  expect(problem).toMatch(/^error flags "a" is malformed at \/variations: /);
  expect(serve(patch(parseItem("flags", "c", "[]")))[0]).toMatch(/^error flags "c" is malformed at \/: /);
  const other = parseItem("flags", "b", '{"key":"b","version":1}');
  expect(serve(patch(other))).toEqual(["segments of 1", "streams", "count item"]);
});
