import { setImmediate as turn } from "node:timers/promises";
import { type Item, parseItem } from "@wye/flag-evaluator";
import { expect, onTestFinished, test } from "vitest";
import { type FlagStore, memoryStore } from "../src/index.js";
import { createRelay } from "../src/relay.js";
import type { SourceSink } from "../src/sources/source.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { createTestSource } from "./test-source.js";

/** A relay with one environment whose source and store are the test's, and what it says. */
function setUp(store: FlagStore = memoryStore()) {
  const clock = createManualClock();
  const lines: string[] = [];
  const say = (level: string) => (line: string) => void lines.push(`${level}: ${line}`);
  const upstream = createTestSource();
  const relay = createRelay({
    clock,
    initTimeout: "10s",
    logger: { debug() {}, info() {}, warn: say("warn"), error: say("error") },
    environments: {
      prod: {
        sdkKey: "sdk",
        about: { projName: "Shop", envName: "Production", projKey: "shop", envKey: "prod" },
        store: () => store,
        source: upstream.source,
      },
    },
  });
  onTestFinished(() => relay.close({ within: 0 }));
  return { clock, lines, sink: upstream.sink };
}

const late = "error: [prod Shop Production] no data from upstream within initTimeout; still trying";

test("that nothing came in time is told of an environment under its name and what people call it, once", () => {
  const { clock, lines } = setUp();
  clock.advance(9999);
  expect(lines).toEqual([]);
  clock.advance(1);
  clock.advance(100_000);
  expect(lines).toEqual([late]);
});

test.each<[string, (sink: SourceSink) => unknown]>([
  ["has data", (sink) => sink.apply({ extent: "full", items: [] })],
  ["is refused", (sink) => sink.refused("ERROR_RESPONSE", "upstream answered 401")],
])("it is not told of one that %s", async (_, happens) => {
  const { clock, lines, sink } = setUp();
  await happens(sink);
  for (let turns = 0; turns < 9; turns++) await turn();
  clock.advance(10_000);
  expect(lines).not.toContain(late);
});

test("what cannot be read is served as it is, and written into no store", async () => {
  const written: string[] = [];
  const note = (items: readonly Item[]) => void written.push(items.map(({ key }) => key).join(" "));
  const kept = memoryStore();
  const { sink } = setUp({
    ...kept,
    async replace(items, signal) {
      note(items);
      await kept.replace(items, signal);
    },
    async upsert(items, signal) {
      note(items);
      return await kept.upsert(items, signal);
    },
  });
  const item = (key: string, text: string) => parseItem("flags", key, text);
  await sink.apply({ extent: "full", items: [item("a", '{"version":1}'), item("broken", "5")] });
  await expect.poll(() => written).toEqual(["a"]);
  await sink.apply({
    extent: "partial",
    items: [item("b", '{"version":2}'), item("wrong", '{"version":"3"}')],
  });
  await expect.poll(() => written).toEqual(["a", "b"]);
});

test("the keys that open what is kept are noted at the start, before upstream has delivered", async () => {
  const asked: string[] = [];
  const kept = memoryStore();
  setUp({
    ...kept,
    async read(signal) {
      asked.push("read");
      return await kept.read(signal);
    },
    noteKeys: async () => void asked.push("keys"),
  });
  await expect.poll(() => asked).toEqual(["read", "keys"]);
});
