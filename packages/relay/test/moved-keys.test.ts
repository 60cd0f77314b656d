import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { credentialDigest } from "../src/credentials.js";
import {
  createFixedSource,
  type EnvironmentOptions,
  type FlagStore,
  type FlagStoreFactory,
  fileStore,
  memoryStore,
  type SourceFactory,
  streamSource,
} from "../src/index.js";
import { silentLogger } from "../src/logger.js";
import { flag, type Running, startRelay } from "./start-relay.js";
import { data, fresh, one, seen, startTwo, two } from "./start-two.js";

/** Upstream delivers for a key, on whichever connection it is asked, until that is seen. */
async function delivered(relay: Running, key: typeof one | typeof two, version: number): Promise<void> {
  const isSeen = () => {
    relay.upstream.environment(key).put(data[key]);
    return seen(relay, key);
  };
  await expect.poll(isSeen, { timeout: 20_000 }).toBe(version);
}

type Environments = Running["relay"]["environments"];
const moves: readonly [string, (environments: Environments) => void][] = [
  ["update", (environments) => void environments.update("staging", { sdkKey: two })],
  ["rotateKey", (environments) => environments.rotateKey("staging", { sdkKey: two }, { overlap: "1h" })],
  [
    "update, for a while",
    (environments) => void environments.update("staging", { sdkKey: two, furtherSdkKeys: [one] }),
  ],
];

test.each(moves)(
  "a key that comes to another environment by %s never gets the flags that this one had",
  async (_, move) => {
    const relay = await startTwo();
    const stream = await relay.open("/all", { headers: { authorization: one } });
    expect((await stream.next()).data).toContain('"version":1');
    const { environments } = relay.relay;
    void environments.remove("production");
    move(environments);
    expect(await seen(relay, two)).toBe(503);
    await stream.ended;
    expect(environments.names()).toEqual(["staging"]);
    await delivered(relay, two, 2);
  },
);

test("what begins anew is counted, and the end of what was there before does not take that along", async () => {
  const relay = await startTwo();
  const { environments } = relay.relay;
  await environments.remove("production");
  void environments.update("staging", { sdkKey: two });
  await delivered(relay, two, 2);
  const { body } = await relay.fetch("GET", "/metrics");
  expect(body).toMatch(/requests_total\{environment="staging",endpoint="php-flags",status="2xx"\} [1-9]/);
});

test("a key that is back is no new one either, and one that nobody had is", async () => {
  const relay = await startTwo();
  const { environments } = relay.relay;
  environments.rotateKey("production", { sdkKey: "sdk-3" });
  expect(await seen(relay, "sdk-3")).toBe(2);
  // It opens what production has now, whichever key it has.
  environments.rotateKey("staging", { sdkKey: two });
  expect(await seen(relay, two)).toBe(503);
  environments.rotateKey("production", { sdkKey: one });
  expect(await seen(relay, one)).toBe(503);
});

test("a move that is taken back gives the first key nothing of the other one", async () => {
  const relay = await startTwo();
  const { environments } = relay.relay;
  void environments.remove("production");
  void environments.update("staging", { sdkKey: two });
  await delivered(relay, two, 2);
  void environments.update("staging", { sdkKey: one });
  expect(await seen(relay, one)).toBe(503);
});

test("with a key that upstream refuses nobody is told to stop, and who waits until all are ready goes on waiting", async () => {
  const relay = await startTwo();
  const { environments } = relay.relay;
  void environments.update("staging", { mobileKey: "mob-1" });
  environments.rotateKey("production", { sdkKey: fresh });
  relay.upstream.environment(two).answer(401);
  const connection = () => relay.relay.status().environments.staging?.connectionStatus;
  void environments.update("staging", { sdkKey: two });
  let isReady = false;
  const ready = relay.relay.ready().then(() => {
    isReady = true;
  });
  await expect.poll(() => connection()?.state, { timeout: 20_000 }).toBe("OFF");
  const post = await relay.fetch("POST", "/mobile", { headers: { authorization: "mob-1" }, body: "[]" });
  expect([await seen(relay, two), post.status, isReady]).toEqual([503, 202, false]);
  relay.upstream.environment(two).answer("data");
  await environments.remove("staging");
  await ready;
});

test("there is no overlap between two environments, neither a new one nor one that goes on", async () => {
  const relay = await startTwo();
  const { environments } = relay.relay;
  environments.rotateKey("staging", { sdkKey: "sdk-3" }, { overlap: "1h" });
  expect([await seen(relay, one), await seen(relay, "sdk-3")]).toEqual([1, 1]);
  void environments.remove("production");
  environments.rotateKey("staging", { sdkKey: two }, { overlap: "1h" });
  expect([await seen(relay, one), await seen(relay, "sdk-3"), await seen(relay, two)]).toEqual([
    401, 401, 503,
  ]);
});

test("a key of another environment that is listed first is refused, which is told, and is no new one when it is the first one", async () => {
  const lines: string[] = [];
  const relay = await startTwo({}, { ...silentLogger, warn: (line) => void lines.push(line) });
  const { environments } = relay.relay;
  void environments.remove("production");
  void environments.update("staging", { furtherSdkKeys: [two] });
  expect(lines.filter((line) => line.includes("is refused from now on"))).toHaveLength(1);
  expect(await seen(relay, two)).toBe(503);
  void environments.update("staging", { sdkKey: two, furtherSdkKeys: [] });
  expect(await seen(relay, two)).toBe(503);
});

test("keys that were listed from the start go with what they opened, whoever lists them", async () => {
  const relay = await startRelay({
    data: { ...data, [fresh]: data[one] },
    environments: { staging: { sdkKey: fresh, furtherSdkKeys: [one] }, production: { sdkKey: two } },
  });
  const { environments } = relay.relay;
  expect(await seen(relay, one)).toBe(1);
  void environments.remove("production");
  environments.rotateKey("staging", { sdkKey: two }, { overlap: "1h" });
  await expect.poll(() => seen(relay, two)).toBe(2);
  expect([await seen(relay, one), await seen(relay, fresh)]).toEqual([503, 401]);
});

test("an environment that is renamed with a new key goes on with the old one that is listed", async () => {
  const relay = await startTwo();
  const { environments } = relay.relay;
  relay.upstream.environment(fresh).setData(data[one]);
  void environments.remove("staging");
  await environments.add("live", { sdkKey: fresh, furtherSdkKeys: [one] });
  expect([await seen(relay, one), await seen(relay, fresh)]).toEqual([1, 1]);
});

test("flags of a source of the host belong to the name, whatever keys are listed", async () => {
  const source = createFixedSource(JSON.stringify(data[one])).source;
  const relay = await startRelay({
    environments: { app: { sdkKey: one, source }, preview: { sdkKey: two, source } },
  });
  void relay.relay.environments.remove("preview");
  await relay.relay.environments.update("app", { furtherSdkKeys: [two] });
  expect([await seen(relay, one), await seen(relay, two)]).toEqual([1, 1]);
});

test("and tell nothing of the keys that were listed for them", async () => {
  const source = createFixedSource(JSON.stringify(data[two])).source;
  const relay = await startRelay({
    data: { [one]: data[one], [fresh]: data[one] },
    environments: { app: { sdkKey: one }, preview: { sdkKey: fresh, source } },
  });
  const { environments } = relay.relay;
  void environments.remove("preview");
  environments.rotateKey("app", { sdkKey: fresh }, { overlap: "1h" });
  expect([await seen(relay, one), await seen(relay, fresh)]).toEqual([1, 1]);
});

test("a key that was only listed with another one, by mistake, is a further key where it is listed next, which is told once", async () => {
  const lines: string[] = [];
  const relay = await startTwo({}, { ...silentLogger, warn: (line) => void lines.push(line) });
  const { environments } = relay.relay;
  await environments.update("production", { furtherSdkKeys: [fresh] });
  await environments.update("production", { furtherSdkKeys: [] });
  expect(lines).toEqual([]);
  await environments.update("staging", { furtherSdkKeys: [fresh] });
  await environments.update("staging", { furtherSdkKeys: [fresh], ttl: "1m" });
  expect(lines).toEqual([
    expect.stringMatching(/^\[staging\] .* was listed for another environment before, /),
  ]);
  expect(await seen(relay, fresh)).toBe(1);
});

test("an environment that lists the key of one that was removed is that one, renamed", async () => {
  const lines: string[] = [];
  const relay = await startTwo({}, { ...silentLogger, warn: (line) => void lines.push(line) });
  const { environments } = relay.relay;
  await environments.remove("production");
  relay.upstream.environment(fresh).setData(data[two]);
  await environments.add("live", { sdkKey: fresh, furtherSdkKeys: [two] });
  expect([await seen(relay, two), await seen(relay, fresh), lines]).toEqual([2, 2, []]);
  // So the name that was removed is another one, and nothing is served for it that is not its own.
  await environments.update("live", { furtherSdkKeys: [] });
  void environments.add("production", { sdkKey: two });
  expect([await seen(relay, two), await seen(relay, fresh)]).toEqual([503, 2]);
});

test("a key that nobody knows opens what the known key opens that is listed with it", async () => {
  const relay = await startTwo();
  const { environments } = relay.relay;
  relay.upstream.environment(fresh).answer("silent");
  void environments.remove("production");
  void environments.update("staging", { sdkKey: fresh, furtherSdkKeys: [two] });
  expect([await seen(relay, one), await seen(relay, two), await seen(relay, fresh)]).toEqual([401, 503, 503]);
});

test("a name that had the key of another one by mistake is another one afterwards", async () => {
  const relay = await startRelay({ data, environments: { staging: { sdkKey: two } } });
  const { environments } = relay.relay;
  await environments.update("staging", { sdkKey: one });
  await environments.add("production", { sdkKey: two });
  await expect.poll(async () => [await seen(relay, one), await seen(relay, two)]).toEqual([1, 2]);
  relay.upstream.environment(two).answer("silent");
  void environments.remove("production");
  void environments.update("staging", { sdkKey: two });
  expect(await seen(relay, two)).toBe(503);
});

test("a key that was listed beside another one's by mistake opens its own, which is told, and teaches nothing", async () => {
  const lines: string[] = [];
  const relay = await startTwo({}, { ...silentLogger, warn: (line) => void lines.push(line) });
  const { environments } = relay.relay;
  await environments.update("production", { furtherSdkKeys: [fresh] });
  await environments.update("production", { furtherSdkKeys: [] });
  relay.upstream.environment(fresh).setData(data[one]);
  environments.rotateKey("staging", { sdkKey: fresh }, { overlap: "1h" });
  await expect.poll(() => seen(relay, fresh)).toBe(1);
  expect(lines.filter((line) => line.includes("is refused from now on"))).toHaveLength(1);
  void environments.remove("production");
  void environments.update("staging", { sdkKey: two });
  expect(await seen(relay, two)).toBe(503);
});

test("what is in use is not forgotten, however many keys have come and gone", async () => {
  const relay = await startTwo();
  const { environments } = relay.relay;
  void environments.add("other", { sdkKey: "sdk-other" });
  const furtherSdkKeys = Array.from({ length: 10_001 }, (_, n) => `sdk-other-${n}`);
  void environments.update("other", { furtherSdkKeys });
  void environments.remove("production");
  environments.rotateKey("staging", { sdkKey: two });
  expect(await seen(relay, two)).toBe(503);
});

test("nor is the key that was in use until it was replaced", async () => {
  const relay = await startTwo();
  const { environments } = relay.relay;
  void environments.add("other", { sdkKey: "sdk-other" });
  const furtherSdkKeys = Array.from({ length: 10_001 }, (_, n) => `sdk-other-${n}`);
  void environments.update("other", { furtherSdkKeys });
  environments.rotateKey("production", { sdkKey: "sdk-later" });
  environments.rotateKey("staging", { sdkKey: two });
  expect(await seen(relay, two)).toBe(503);
});

describe("where a factory of the host throws, all stays as it was", () => {
  const keptSource: SourceFactory = (context) => {
    if (isBroken) throw new Error("the source cannot start");
    return streamSource(context);
  };
  const keptStore: FlagStoreFactory = () => {
    if (isBroken) throw new Error("the store cannot be made");
    return memoryStore();
  };
  let isBroken = false;
  const broken: readonly [string, Partial<EnvironmentOptions>][] = [
    ["source", { source: keptSource }],
    ["store", { store: keptStore }],
  ];
  test.each(broken)("%s", async (what, options) => {
    isBroken = false;
    const relay = await startTwo(options);
    const { environments } = relay.relay;
    const stream = await relay.open("/all", { headers: { authorization: one } });
    await stream.next();
    void environments.remove("production");
    isBroken = true;
    await expect(environments.update("staging", { sdkKey: two })).rejects.toThrow(`the ${what} cannot`);
    expect(() => environments.rotateKey("staging", { sdkKey: two })).toThrow(`the ${what} cannot`);
    expect([environments.names(), await seen(relay, one)]).toEqual([["staging"], 1]);
    expect(await seen(relay, two)).toBe(401);
    const metrics = await relay.fetch("GET", "/metrics");
    expect(metrics.body).toMatch(/open_streams\{environment="staging",channel="all"\} 1\n/);
    relay.upstream.environment(one).patch("flags", flag("a", 3));
    expect((await stream.next()).data).toContain('"version":3');
    isBroken = false;
    void environments.update("staging", { sdkKey: two });
    expect(await seen(relay, two)).toBe(503);
  });
});

/** A folder for flags, and what waits until so many files are in it, one of them written for a key. */
async function makeFiles() {
  const directory = await mkdtemp(join(tmpdir(), "relay-moved-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const written = async (count: number, key: string = one) => {
    const heads = async () => {
      const names = (await readdir(directory)).filter((name) => name.endsWith(".flags"));
      const texts = await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")));
      return { count: names.length, has: texts.join("").includes(credentialDigest("sdkKey", key)) };
    };
    await expect.poll(heads, { timeout: 20_000 }).toEqual({ count, has: true });
  };
  return { store: fileStore({ directory }), written };
}

const stores: readonly [string, () => Promise<FlagStoreFactory>][] = [
  ["files", async () => (await makeFiles()).store],
  [
    "a database",
    async () => {
      const kept = new Map<string, FlagStore>();
      return ({ environment }) => {
        const store = kept.get(environment) ?? memoryStore();
        kept.set(environment, store);
        return { ...store, close: async () => {} };
      };
    },
  ],
];

test.each(stores)("keys that change places never get what %s have under the names", async (_, make) => {
  const store = await make();
  const relay = await startTwo({ store });
  const { environments } = relay.relay;
  void environments.remove("staging");
  void environments.remove("production");
  void environments.add("staging", { sdkKey: two, store });
  void environments.add("production", { sdkKey: one, store });
  expect([await seen(relay, one), await seen(relay, two)]).toEqual([503, 503]);
  await delivered(relay, two, 2);
  expect(await seen(relay, one)).toBe(503);
  await environments.remove("staging");
  void environments.add("staging", { sdkKey: two, store });
  await expect.poll(() => seen(relay, two)).toBe(2);
});

test("a store that fails to take the new flags at first is never read for the ones before", async () => {
  const store = memoryStore();
  let failing = 0;
  let refused = 0;
  const factory: FlagStoreFactory = ({ environment }) =>
    environment !== "staging"
      ? memoryStore()
      : {
          ...store,
          cacheTtlMs: 1000,
          async replace(items, signal) {
            if (failing-- > 0) {
              refused++;
              throw new Error("it takes nothing");
            }
            await store.replace(items, signal);
          },
          close: async () => {},
        };
  const relay = await startTwo({ store: factory });
  const { environments } = relay.relay;
  relay.upstream.environment(one).patch("flags", flag("a", 9));
  failing = 2;
  void environments.remove("production");
  void environments.update("staging", { sdkKey: two });
  await delivered(relay, two, 2);
  relay.upstream.environment(two).answer(503);
  relay.upstream.environment(two).drop();
  await expect.poll(() => refused, { timeout: 20_000 }).toBe(2);
  const kept = async () => (await store.read(AbortSignal.timeout(1000)))?.map(({ version }) => version);
  await expect.poll(kept, { timeout: 20_000 }).toEqual([2]);
  expect(await seen(relay, two)).toBe(2);
});

type Keys = Pick<EnvironmentOptions, "sdkKey" | "furtherSdkKeys">;

/** Starts staging and production with other keys on a folder, without upstream. */
async function startAgain(
  store: FlagStoreFactory,
  [staging, production]: readonly [Keys, Keys],
  lines: string[] = [],
) {
  return startRelay({
    wait: false,
    environments: { staging: { ...staging, store }, production: { ...production, store } },
    reach: ({ roles }) => ({ ...roles, stream: "http://127.0.0.1:9" }),
    options: { initTimeout: "10m", logger: { ...silentLogger, error: (line) => void lines.push(line) } },
  });
}

async function end(running: Running): Promise<void> {
  await running.relay.close();
  await running.stop();
}

/** What a key gets once its store has said what it has. */
function seenOfStore(relay: Running, key: string, expected: number) {
  return expect.poll(() => seen(relay, key), { timeout: 20_000 }).toBe(expected);
}

function storeOf(relay: Running, name: string): string | undefined {
  return relay.relay.status().environments[name]?.dataStoreStatus.state;
}

const passedOver = /passed over.* of another SDK key/;

test.each<
  [string, readonly [Keys, Keys], { readonly passes: number; readonly gets: Record<string, number> }]
>([
  ["exchanged", [{ sdkKey: two }, { sdkKey: one }], { passes: 2, gets: { [one]: 503, [two]: 503 } }],
  ["shifted", [{ sdkKey: two }, { sdkKey: fresh }], { passes: 2, gets: { [two]: 503, [fresh]: 503 } }],
  [
    "replaced by one that nobody knows",
    [{ sdkKey: one }, { sdkKey: fresh }],
    { passes: 1, gets: { [one]: 1, [fresh]: 503 } },
  ],
  [
    "replaced and listed",
    [{ sdkKey: one }, { sdkKey: fresh, furtherSdkKeys: [two] }],
    { passes: 0, gets: { [one]: 1, [fresh]: 2, [two]: 2 } },
  ],
])(
  "keys that are %s between two starts: each gets what a folder has of its own environment",
  async (_, keys, { passes, gets }) => {
    const { store, written } = await makeFiles();
    const first = await startTwo({ store });
    await written(2);
    await end(first);
    const lines: string[] = [];
    // Once more, as nothing of the first time may be taken for known.
    for (const times of [1, 2]) {
      const again = await startAgain(store, keys, lines);
      await expect.poll(() => lines.filter((line) => passedOver.test(line)).length).toBe(passes * times);
      for (const [key, expected] of Object.entries(gets)) await seenOfStore(again, key, expected);
      await end(again);
    }
  },
);

test("a move in the running relay is one after a restart too, though the key stands in no file", async () => {
  const { store, written } = await makeFiles();
  const relay = await startTwo({ store });
  await written(2);
  relay.upstream.environment(fresh).setData(data[two]);
  const { environments } = relay.relay;
  environments.rotateKey("production", { sdkKey: fresh });
  await written(2, fresh);
  void environments.update("staging", { sdkKey: two });
  expect([await seen(relay, two), await seen(relay, fresh)]).toEqual([503, 2]);
  await end(relay);
  const again = await startAgain(store, [{ sdkKey: two }, { sdkKey: fresh }]);
  await seenOfStore(again, fresh, 2);
  expect(await seen(again, two)).toBe(503);
  await end(again);
});

test("a file is not opened by further keys of another environment, and is out of use once its name begins anew", async () => {
  const { store, written } = await makeFiles();
  const relay = await startTwo({ store });
  await written(2);
  const { environments } = relay.relay;
  void environments.remove("production");
  const moved = { sdkKey: two, furtherSdkKeys: [one] };
  await expect.poll(() => storeOf(relay, "staging")).toBe("VALID");
  void environments.update("staging", moved);
  // In the very turn: nothing is waited for.
  await end(relay);
  // A start takes the keys for what the host says that they are.
  const again = await startAgain(store, [moved, { sdkKey: fresh }]);
  await expect.poll(() => storeOf(again, "staging")).toBe("VALID");
  expect([await seen(again, one), await seen(again, two)]).toEqual([503, 503]);
  await end(again);
});

test("a name that was never there has in its store what belongs to whatever key it gets", async () => {
  const [, database] = stores[1] ?? [];
  const store = await database?.();
  if (store === undefined) throw new TypeError("there is a database");
  const before = await startRelay({ data, environments: { live: { sdkKey: two, store } } });
  expect(await seen(before, two)).toBe(2);
  await before.relay.close();
  const relay = await startTwo();
  void relay.relay.environments.remove("production");
  void relay.relay.environments.add("live", { sdkKey: two, store });
  await expect.poll(() => seen(relay, two)).toBe(2);
});
