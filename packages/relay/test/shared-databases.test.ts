import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { type Item, parseItem } from "@wye/flag-evaluator";
import { expect, onTestFinished, test } from "vitest";
import { type FlagStore, memoryStore } from "../src/index.js";
import { createRelay } from "../src/relay.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";
import { createTestSource } from "./test-source.js";

const { signal } = new AbortController();
const flag = (key: string, version = 1): Item => parseItem("flags", key, JSON.stringify({ key, version }));

/** A relay on a database that others write as well; the way to that may be closed. */
function startRelay(clock: ManualClock, database: FlagStore) {
  const way = { isOpen: true, losses: 0 };
  const through = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (!way.isOpen) throw new Error("no network");
    return await call();
  };
  const store: FlagStore = {
    ...database,
    cacheTtlMs: 30_000,
    read: (given) => through(() => database.read(given)),
    replace: (items, given) => through(() => database.replace(items, given)),
    upsert: (items, given) => through(() => database.upsert(items, given)),
    isFilled: () => through(async () => (await database.read(signal)) !== undefined),
    losses: () => way.losses,
  };
  const upstream = createTestSource();
  const relay = createRelay({
    clock,
    environments: {
      prod: {
        sdkKey: "sdk",
        store: () => store,
        source: upstream.source,
      },
    },
  });
  onTestFinished(() => relay.close({ within: 0 }));
  const { sink } = upstream;
  const full = (...items: readonly Item[]) => sink.apply({ extent: "full", items });
  const partial = (...items: readonly Item[]) => sink.apply({ extent: "partial", items });
  /** The keys of the flags that SDKs get. */
  const served = async () => {
    const server = createServer(relay.handler).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const headers = { authorization: "sdk", connection: "close" };
    const answer = await fetch(`http://127.0.0.1:${port}/sdk/flags`, { headers });
    server.close();
    return Object.keys((await answer.json()) as object);
  };
  return {
    way,
    sink,
    full,
    partial,
    served,
    state: () => relay.status().environments.prod?.dataStoreStatus?.state,
  };
}

/** Two relays on one database, begun seven seconds apart, and what is in there. */
async function startTwo() {
  const clock = createManualClock();
  const database = memoryStore();
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1000);
      for (let turns = 0; turns < 6; turns++) await turn();
    }
  };
  const first = startRelay(clock, database);
  await first.full(flag("kept"), flag("removed"));
  await pass(7);
  const second = startRelay(clock, database);
  await second.full(flag("kept"), flag("removed"));
  await pass(40);
  const keys = async () => (await database.read(signal))?.map(({ key }) => key).sort();
  return { first, second, database, pass, keys };
}

test.each([1, 20, 31, 45, 95])(
  "a flag that upstream has removed stays so, although one relay hears of that %i seconds later",
  async (lag) => {
    const { first, second, pass, keys } = await startTwo();
    await first.full(flag("kept"));
    await pass(lag);
    await second.full(flag("kept"));
    await pass(300);
    expect(await keys()).toEqual(["kept"]);
    expect([first.state(), second.state()]).toEqual(["VALID", "VALID"]);
  },
);

test("a flag that upstream has removed is not served again because somebody writes it late", async () => {
  const { first, second, pass, database } = await startTwo();
  for (const relay of [first, second]) await relay.full(flag("kept"));
  await pass(60);
  await database.upsert([flag("removed"), flag("other")], signal);
  await pass(60);
  expect([await first.served(), await second.served()]).toEqual([
    ["kept", "other"],
    ["kept", "other"],
  ]);
});

test("a flag that a relay without upstream has written back is gone once its upstream is back", async () => {
  const { first, second, pass, keys } = await startTwo();
  first.way.isOpen = false;
  await Promise.all([first, second].map(({ partial }) => partial(flag("removed", 2))));
  await pass(8);
  first.sink.interrupted("NETWORK_ERROR", "upstream is away");
  await second.full(flag("kept"));
  await pass(8);
  first.way.isOpen = true;
  first.way.losses++;
  await pass(120);
  expect(await keys()).toEqual(["kept", "removed"]);
  await first.full(flag("kept"));
  await pass(300);
  expect(await keys()).toEqual(["kept"]);
});

test("a flag that upstream has removed and made anew is taken over again, once it is newer or upstream has told of it", async () => {
  const { first, second, pass, keys, database } = await startTwo();
  for (const relay of [first, second]) await relay.full(flag("kept"));
  await pass(60);
  await database.upsert([flag("removed", 2)], signal);
  await pass(60);
  await database.replace([flag("kept")], signal);
  await pass(60);
  // What others have brought is theirs to write again.
  expect(await keys()).toEqual(["kept"]);
  for (const relay of [first, second]) await relay.partial(flag("removed", 2));
  await pass(60);
  await database.replace([flag("kept")], signal);
  await pass(60);
  expect(await keys()).toEqual(["kept", "removed"]);
});

test("a relay without upstream is ready as soon as another one has filled the database", async () => {
  const clock = createManualClock();
  const database = memoryStore();
  const relay = createRelay({
    clock,
    initTimeout: "1h",
    environments: {
      prod: {
        sdkKey: "sdk",
        store: () => ({ ...database, cacheTtlMs: 1000 }),
        source: createTestSource().source,
      },
    },
  });
  onTestFinished(() => relay.close({ within: 0 }));
  let isReady = false;
  void relay.ready().then(() => {
    isReady = true;
  });
  const pass = async () => {
    clock.advance(1000);
    for (let turns = 0; turns < 9; turns++) await turn();
  };
  await pass();
  await pass();
  expect(isReady).toBe(false);
  await database.replace([flag("a")], signal);
  await pass();
  expect(isReady).toBe(true);
});
