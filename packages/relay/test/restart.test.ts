import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Item, parseItem } from "@wye/flag-evaluator";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  createFixedSource,
  createRelay,
  type EnvironmentOptions,
  type FlagStore,
  type FlagStoreContext,
  fileStore,
  memoryBigSegmentStore,
  memoryStore,
  type SourceFactory,
} from "../src/index.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { createStoreContext } from "../src/testing/store-context.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

const keyed = (key: string) => JSON.stringify({ flags: { [key]: { key, version: 1 } } });
const emptyStore: FlagStore = {
  read: async () => undefined,
  replace: async () => {},
  upsert: async () => [],
  close: async () => {},
};
const authorization = { headers: { authorization: keys.sdkKey } };

test("with a file store a relay that starts anew serves the last flags at once, without upstream", async () => {
  const directory = await mkdtemp(join(tmpdir(), "relay-restart-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const store = fileStore({ directory });
  const environments = { prod: { ...keys, store } };
  const first = await startRelay({ environments });
  first.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
  while (!(await first.fetch("GET", "/sdk/flags/a", authorization)).body.includes('"version":2'))
    await first.relay.ready();
  await first.relay.close();
  await first.stop();

  const again = await startRelay({
    environments,
    // Nobody listens there.
    reach: ({ roles }) => ({ ...roles, stream: "http://127.0.0.1:9" }),
    options: { initTimeout: "10m" },
  });
  const answer = await again.fetch("GET", "/sdk/flags/a", authorization);
  expect(answer).toMatchObject({ status: 200 });
  expect(JSON.parse(answer.body)).toEqual(flag("a", 2));
  const stream = await again.open("/all", authorization);
  expect((await stream.next()).data).toContain('"version":2');
  expect(again.relay.status().environments.prod).toMatchObject({ status: "disconnected" });
});

const next = { headers: { authorization: "sdk-next" } };

/** A folder in which the flags of `prod` are kept, and starts relays on it. */
async function startOnFolder() {
  const directory = await mkdtemp(join(tmpdir(), "relay-restart-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const store = fileStore({ directory });
  return {
    store,
    async first(options: Partial<EnvironmentOptions> = {}) {
      const running = await startRelay({ environments: { prod: { ...keys, store, ...options } } });
      await expect.poll(() => readdir(directory)).toEqual([expect.stringMatching(/\.flags$/)]);
      for (const key of [keys.sdkKey, "sdk-next"]) running.upstream.environment(key).answer("silent");
      return running;
    },
    /** Nobody listens where upstream is looked for. */
    again: (options: Partial<EnvironmentOptions>) =>
      startRelay({
        environments: { prod: { ...keys, store, ...options } },
        reach: ({ roles }) => ({ ...roles, stream: "http://127.0.0.1:9" }),
        options: { initTimeout: "10m" },
        wait: false,
      }),
  };
}

const end = async ({ relay, stop }: Running) => {
  await relay.close();
  await stop();
};

test("a key that has replaced the one of the file opens it after a restart, though upstream has delivered nothing for it", async () => {
  const { first, again } = await startOnFolder();
  const before = await first();
  before.relay.environments.rotateKey("prod", { sdkKey: "sdk-next" });
  const { status, body } = await before.fetch("GET", "/sdk/flags", next);
  expect(status).toBe(200);
  await end(before);
  const after = await again({ sdkKey: "sdk-next" });
  await after.relay.ready();
  expect(await after.fetch("GET", "/sdk/flags", next)).toMatchObject({ status: 200, body });
});

test("so does one with which the former key is only listed until the next start", async () => {
  const { first, again } = await startOnFolder();
  await end(await first());
  const between = await again({ sdkKey: "sdk-next", furtherSdkKeys: [keys.sdkKey] });
  await between.relay.ready();
  await end(between);
  const after = await again({ sdkKey: "sdk-next" });
  await expect.poll(async () => (await after.fetch("GET", "/sdk/flags", next)).status).toBe(200);
});

test("a key opens nothing of what somebody else has left under the name, after a restart neither", async () => {
  const { first, again, store } = await startOnFolder();
  const { source } = createFixedSource(keyed("own"));
  const before = await first({ source });
  await before.relay.environments.remove("prod");
  void before.relay.environments.add("prod", { ...keys, store });
  before.relay.environments.rotateKey("prod", { sdkKey: "sdk-next" });
  expect((await before.fetch("GET", "/sdk/flags", next)).status).toBe(503);
  await end(before);
  const after = await again({ sdkKey: "sdk-next" });
  await expect.poll(() => after.relay.status().environments.prod?.dataStoreStatus.state).toBe("VALID");
  expect((await after.fetch("GET", "/sdk/flags", next)).status).toBe(503);
});

describe("a key that upstream refuses while the store is still being read", () => {
  const cases = [
    { name: "is served from it", items: [parseItem("flags", "a", '{"version":1}')], status: 200 },
    { name: "answers 401 once it is known to be empty", items: undefined, status: 401 },
  ];
  for (const { name, items, status } of cases) {
    test(name, async () => {
      let answerRead: (items: Item[] | undefined) => void = () => {};
      const read = new Promise<Item[] | undefined>((resolve) => {
        answerRead = resolve;
      });
      const store = (): FlagStore => ({ ...emptyStore, read: () => read });
      const { relay, fetch } = await startRelay({
        data: {},
        environments: { prod: { ...keys, store } },
        wait: false,
      });
      let isReady = false;
      const ready = relay.ready().then(() => {
        isReady = true;
      });
      await expect
        .poll(() => relay.status().environments.prod?.connectionStatus.state, { interval: 5 })
        .toBe("OFF");
      expect((await fetch("GET", "/all", authorization)).status).toBe(503);
      expect(isReady).toBe(false);
      answerRead(items);
      await ready;
      expect((await fetch("GET", "/sdk/latest-all", authorization)).status).toBe(status);
    });
  }

  test("answers 503 as long as the store cannot say what it has", async () => {
    const store = (): FlagStore => ({ ...emptyStore, read: () => Promise.reject(new Error("down")) });
    const { relay, fetch } = await startRelay({
      data: {},
      environments: { prod: { ...keys, store } },
      options: { initTimeout: 1 },
    });
    await expect
      .poll(() => relay.status().environments.prod?.connectionStatus.state, { interval: 5 })
      .toBe("OFF");
    await expect.poll(() => relay.status().environments.prod?.dataStoreStatus.state).toBe("INTERRUPTED");
    expect((await fetch("GET", "/sdk/latest-all", authorization)).status).toBe(503);
  });
});

describe("an environment that is removed and added in one turn leaves the flags of the new one", () => {
  for (const name of ["prod", "renamed"]) {
    test(`as ${name}`, async () => {
      const calls: string[] = [];
      let finish = () => {};
      const held = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const place: { keys?: string[] } = {};
      /** One place, a store object for each environment, and the first write takes until it is let go. */
      const store = ({ environment, envId, places }: FlagStoreContext): FlagStore => {
        const release = places?.claim("server", "flags", environment);
        return {
          read: async () => undefined,
          async replace(items) {
            calls.push(`write of ${envId}`);
            if (envId === "old") await held;
            place.keys = items.map(({ key }) => key);
            calls.push(`written for ${envId}`);
          },
          upsert: async () => [],
          async close() {
            calls.push(`close of ${envId}`);
            release?.();
          },
        };
      };
      const [before, after] = [createFixedSource(keyed("before")), createFixedSource(keyed("after"))];
      const relay = createRelay({
        environments: { prod: { sdkKey: "sdk-1", envId: "old", source: before.source, store } },
      });
      onTestFinished(() => relay.close({ within: 0 }));
      await expect.poll(() => calls).toContain("write of old");
      const other = { sdkKey: "sdk-2", source: after.source, store };
      // As long as it stays nobody else has its place.
      await expect(relay.environments.add("other", other)).rejects.toMatchObject({ code: "duplicate" });
      const removed = relay.environments.remove("prod");
      await relay.environments.add(name, { sdkKey: "sdk-1", envId: "new", source: after.source, store });
      await expect(relay.environments.add("other", other)).rejects.toMatchObject({ code: "duplicate" });
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      finish();
      await removed;
      await expect.poll(() => calls).toContain("written for new");
      expect(place.keys).toEqual(["after"]);
      expect(calls).toEqual([
        "write of old",
        "written for old",
        "close of old",
        "write of new",
        "written for new",
      ]);
    });
  }
});

test("a store that never ends to close keeps its place from nobody", async () => {
  const clock = createManualClock();
  const { source } = createFixedSource(keyed("a"));
  const written: string[] = [];
  const store = ({ environment, places }: FlagStoreContext): FlagStore => {
    places?.claim("server", "flags", environment);
    const replace = async () => void written.push(environment);
    return { ...emptyStore, replace, close: () => new Promise(() => {}) };
  };
  const relay = createRelay({ clock, environments: { a: { sdkKey: "sdk-1", source, store } } });
  onTestFinished(() => relay.close({ within: 0 }));
  await expect.poll(() => written).toEqual(["a"]);
  const removed = relay.environments.remove("a");
  await relay.environments.add("b", { sdkKey: "sdk-1", source, store });
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(written).toEqual(["a"]);
  clock.advance(5000);
  await removed;
  await expect.poll(() => written).toEqual(["a", "b"]);
});

test("the same with filters, and a write that does not end is given up for it", async () => {
  const clock = createManualClock();
  const calls: string[] = [];
  let made = 0;
  const store = (): FlagStore => {
    const number = ++made;
    return {
      read: async () => undefined,
      replace: (_, signal) => {
        calls.push(`write ${number}`);
        signal.addEventListener("abort", () => calls.push(`given up ${number}`));
        return number === 2 ? new Promise(() => {}) : Promise.resolve();
      },
      upsert: async () => [],
      close: async () => {},
    };
  };
  const { source: fixed } = createFixedSource(keyed("a"));
  // One of the host, which may know of filters.
  const source: SourceFactory = (context) => fixed(context);
  const relay = createRelay({
    clock,
    environments: { prod: { sdkKey: "sdk-1", filters: ["web"], source, store } },
  });
  onTestFinished(() => relay.close({ within: 0 }));
  await expect.poll(() => calls).toContain("write 2");
  const removed = relay.environments.update("prod", { filters: [] });
  await relay.environments.update("prod", { filters: ["web"] });
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(calls).toEqual(["write 1", "write 2"]);
  clock.advance(5000);
  await removed;
  await expect.poll(() => calls).toEqual(["write 1", "write 2", "given up 2", "write 3"]);
});

describe("a store object is for one environment alone", () => {
  const { source: fixed } = createFixedSource(keyed("a"));
  // One of the host, which may know of filters.
  const source: SourceFactory = (context) => fixed(context);
  const store = memoryStore();
  const bigSegments = memoryBigSegmentStore(createStoreContext());
  const kinds = [
    ["flags", { store: () => store }],
    ["big segments", { bigSegments: () => bigSegments }],
  ] as const;
  for (const [kind, kept] of kinds) {
    test(`of ${kind}: another environment, and a filter, cannot have it`, async () => {
      const one = { sdkKey: "sdk-1", source, ...kept };
      const two = { sdkKey: "sdk-2", source, ...kept };
      const refusal = (a: string, b: string) =>
        `"${a}" and "${b}" would overwrite each other's data in the same store: give each an object of its own`;
      expect(() => createRelay({ environments: { a: one, b: two } })).toThrow(refusal("b", "a"));
      expect(() => createRelay({ environments: { a: { ...one, filters: ["web"] } } })).toThrow(
        refusal("a/web", "a"),
      );
      const relay = createRelay({ environments: { a: one } });
      onTestFinished(() => relay.close({ within: 0 }));
      await expect(relay.environments.add("b", two)).rejects.toMatchObject({ code: "duplicate" });
      expect(relay.environments.names()).toEqual(["a"]);
      // Whoever gives it up leaves it to others, and to its successor at once.
      void relay.environments.remove("a");
      await relay.environments.add("a", one);
      void relay.environments.remove("a");
      await relay.environments.add("b", two);
      await relay.close();
      await createRelay({ environments: { a: one } }).close();
    });
  }
});
