import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type EnvironmentOptions,
  type FlagStore,
  type FlagStoreFactory,
  fileStore,
  memoryStore,
} from "../src/index.js";
import { silentLogger } from "../src/logger.js";
import { flag, type Running, startRelay } from "./start-relay.js";

// Upstream has version 1 for the first key and version 2 for the second one.
const [one, two] = ["sdk-1", "sdk-2"] as const;
const data = { [one]: { flags: { a: flag("a", 1) } }, [two]: { flags: { a: flag("a", 2) } } };

/** The version that a key gets, or the status of the answer. */
async function seen(relay: Running, authorization: string): Promise<number> {
  const { status, body } = await relay.fetch("GET", "/sdk/flags", { headers: { authorization } });
  return status === 200 ? Number(JSON.parse(body).a?.version) : status;
}

/** Two environments under names that are then found to be wrong, and an upstream that answers nobody new. */
async function startTwo(rest: Partial<EnvironmentOptions> = {}): Promise<Running> {
  const relay = await startRelay({
    data,
    environments: { staging: { sdkKey: one, ...rest }, production: { sdkKey: two, ...rest } },
    options: { initTimeout: "10m" },
  });
  expect([await seen(relay, one), await seen(relay, two)]).toEqual([1, 2]);
  for (const key of [one, two]) relay.upstream.environment(key).answer("silent");
  return relay;
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
    await expect.poll(() => relay.upstream.environment(two).connections).toBe(1);
    relay.upstream.environment(two).put(data[two]);
    await expect.poll(() => seen(relay, two)).toBe(2);
  },
);

test("a key that is back is no new one either, and one that nobody had is", async () => {
  const relay = await startTwo();
  const { environments } = relay.relay;
  environments.rotateKey("production", { sdkKey: "sdk-3" });
  expect(await seen(relay, "sdk-3")).toBe(2);
  environments.rotateKey("staging", { sdkKey: two });
  expect(await seen(relay, two)).toBe(503);
  environments.rotateKey("production", { sdkKey: one });
  expect(await seen(relay, one)).toBe(503);
  environments.rotateKey("staging", { sdkKey: "sdk-3" });
  expect(await seen(relay, "sdk-3")).toBe(503);
});

const stores: readonly [string, () => Promise<FlagStoreFactory>][] = [
  [
    "files",
    async () => {
      const directory = await mkdtemp(join(tmpdir(), "relay-moved-"));
      onTestFinished(() => rm(directory, { recursive: true }));
      return fileStore({ directory });
    },
  ],
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
  for (const key of [one, two]) await expect.poll(() => relay.upstream.environment(key).connections).toBe(1);
  expect([await seen(relay, one), await seen(relay, two)]).toEqual([503, 503]);
  relay.upstream.environment(two).put(data[two]);
  await expect.poll(() => seen(relay, two)).toBe(2);
  await environments.remove("staging");
  void environments.add("staging", { sdkKey: two, store });
  await expect.poll(() => seen(relay, two)).toBe(2);
});

test("names that are exchanged between two starts: no key gets what a folder has of the other one", async () => {
  const directory = await mkdtemp(join(tmpdir(), "relay-moved-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const store = fileStore({ directory });
  const first = await startTwo({ store });
  await expect.poll(async () => (await readdir(directory)).length).toBe(2);
  await first.relay.close();
  await first.stop();
  const lines: string[] = [];
  const start = (staging: string, production: string) =>
    startRelay({
      wait: false,
      environments: { staging: { sdkKey: staging, store }, production: { sdkKey: production, store } },
      reach: ({ roles }) => ({ ...roles, stream: "http://127.0.0.1:9" }),
      options: { initTimeout: "10m", logger: { ...silentLogger, error: (line) => void lines.push(line) } },
    });
  const exchanged = await start(two, one);
  const passedOver = () => lines.filter((line) => line.includes("passed over")).toSorted();
  await expect
    .poll(passedOver)
    .toEqual([
      expect.stringMatching(/^\[production\].* another SDK key, and this one was that of "staging"$/),
      expect.stringMatching(/^\[staging\].* another SDK key, and this one was that of "production"$/),
    ]);
  expect([await seen(exchanged, one), await seen(exchanged, two)]).toEqual([503, 503]);
  await exchanged.stop();
  // A key that nobody had may be a new one.
  const rotated = await start(one, "sdk-3");
  await expect.poll(() => seen(rotated, one)).toBe(1);
  await expect.poll(() => seen(rotated, "sdk-3")).toBe(2);
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
