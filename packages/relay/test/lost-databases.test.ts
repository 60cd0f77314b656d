import { setImmediate as turn } from "node:timers/promises";
import { parseItem } from "@wye/flag-evaluator";
import { expect, onTestFinished, test } from "vitest";
import { type FlagStore, memoryStore } from "../src/index.js";
import { createRelay } from "../src/relay.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { createTestSource } from "./test-source.js";

const { signal } = new AbortController();
const kept = parseItem("flags", "kept", '{"version":1}');
const removed = parseItem("flags", "removed", '{"version":1}');

/** A relay that has served two flags, one of which another relay has removed from the database since. */
async function startBehind() {
  const clock = createManualClock();
  const database = memoryStore();
  const way = { isOpen: true };
  const store: FlagStore = {
    ...database,
    async isFilled() {
      if (!way.isOpen) throw new Error("no network");
      return true;
    },
  };
  const upstream = createTestSource();
  const environments = { prod: { sdkKey: "sdk", store: () => store, source: upstream.source } };
  const relay = createRelay({ clock, environments });
  onTestFinished(() => relay.close({ within: 0 }));
  const state = () => relay.status().environments.prod?.dataStoreStatus?.state;
  const until = async (holds: () => boolean) => {
    while (!holds()) await turn();
  };
  const { sink } = upstream;
  await sink.apply({ extent: "full", items: [kept, removed] });
  while ((await database.read(signal))?.length !== 2) await turn();
  await until(() => state() === "VALID");
  await turn();
  await database.replace([kept], signal);
  /** The database is away for one question. */
  const lose = async () => {
    way.isOpen = false;
    clock.advance(5000);
    await until(() => state() === "INTERRUPTED");
    way.isOpen = true;
    clock.advance(1000);
    await until(() => state() === "VALID");
  };
  const keys = async () => (await database.read(signal))?.map(({ key }) => key).sort();
  return { sink, lose, keys };
}

test("a relay that has lost upstream brings back nothing that others have removed from the database", async () => {
  const { sink, lose, keys } = await startBehind();
  sink.interrupted("NETWORK_ERROR", "upstream is away");
  await lose();
  await lose();
  expect(await keys()).toEqual(["kept"]);
});

test("a relay that upstream tells of every change fills a database that comes back with less", async () => {
  const { lose, keys } = await startBehind();
  await lose();
  while ((await keys())?.length !== 2) await turn();
});
