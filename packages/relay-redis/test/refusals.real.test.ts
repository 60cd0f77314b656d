import { createRelay, type Relay } from "@wye/relay";
import { createFakeUpstream, type FakeUpstream } from "@wye/relay/testing";
import { expect, onTestFinished, test } from "vitest";
import { redisBigSegments, redisStore } from "../src/index.js";
import { connectTo, contextOf, type DirectClient, newPrefix, until } from "./fixtures.js";
import { startRedis } from "./redis-server.js";

const sdkKey = "sdk-11111111-aaaa-4bbb-8ccc-222222222222";
const greeting = (version: number, text = "hello") => ({
  key: "greeting",
  version,
  on: false,
  variations: [text],
  offVariation: 0,
});

interface Setting {
  readonly relay: Relay;
  readonly upstream: FakeUpstream;
  readonly direct: DirectClient;
  readonly prefix: string;
  /** What the database has of the flag. */
  version(): Promise<number | undefined>;
  state(wanted: string): Promise<unknown>;
}

/** A relay whose flags are in a Redis with these settings. */
async function setUp(cacheTtl?: string): Promise<Setting> {
  const redis = await startRedis();
  const upstream = await createFakeUpstream({
    environments: { [sdkKey]: { flags: { greeting: greeting(1) } } },
  });
  const direct = await connectTo(redis.port);
  const prefix = newPrefix();
  const url = `redis://127.0.0.1:${redis.port}`;
  const store = redisStore({ url, prefix, ...(cacheTtl === undefined ? {} : { cacheTtl }) });
  const relay = createRelay({
    environments: { production: { sdkKey, store, bigSegments: redisBigSegments({ url, prefix }) } },
    upstream: upstream.roles,
    events: false,
    logger: contextOf("any").logger,
  });
  onTestFinished(async () => {
    redis.signal("SIGCONT");
    await relay.close({ within: 0 });
    direct.destroy();
    await upstream.close();
    await redis.stop();
  });
  await relay.ready();
  const version = async (): Promise<number | undefined> => {
    const text = await direct.hGet(`${prefix}:features`, "greeting");
    return text === null ? undefined : JSON.parse(text).version;
  };
  await until(version, (kept) => kept === 1);
  return {
    relay,
    upstream,
    direct,
    prefix,
    version,
    state: (wanted) =>
      until(
        async () => relay.status().environments.production?.dataStoreStatus.state,
        (state) => state === wanted,
      ),
  };
}

for (const cacheTtl of [undefined, "1s", "30s"]) {
  test(`a server that has too few replicas refuses writes, which are made up for later (cacheTtl ${cacheTtl})`, async () => {
    const { upstream, direct, version, state } = await setUp(cacheTtl);
    await direct.sendCommand(["CONFIG", "SET", "min-replicas-to-write", "1"]);
    upstream.environment(sdkKey).patch("flags", greeting(2));
    await state("INTERRUPTED");
    expect(await version()).toBe(1);
    await direct.sendCommand(["CONFIG", "SET", "min-replicas-to-write", "0"]);
    await until(version, (kept) => kept === 2);
    await state("VALID");
  });

  test(`a server whose memory is full keeps the old set whole, and gets the new one when there is room (cacheTtl ${cacheTtl})`, async () => {
    const { upstream, direct, version, state } = await setUp(cacheTtl);
    await direct.sendCommand(["CONFIG", "SET", "maxmemory", "1"]);
    upstream.environment(sdkKey).put({ flags: { greeting: greeting(2), more: { key: "more", version: 1 } } });
    await state("INTERRUPTED");
    expect(await version()).toBe(1);
    await direct.sendCommand(["CONFIG", "SET", "maxmemory", "0"]);
    await until(version, (kept) => kept === 2);
    await state("VALID");
  });
}

test("a replica proper says READONLY until it is promoted", async () => {
  const { upstream, direct, version, state } = await setUp();
  await direct.sendCommand(["REPLICAOF", "127.0.0.1", "1"]);
  upstream.environment(sdkKey).patch("flags", greeting(2));
  await state("INTERRUPTED");
  expect(await version()).toBe(1);
  await direct.sendCommand(["REPLICAOF", "NO", "ONE"]);
  await until(version, (kept) => kept === 2);
  await state("VALID");
});

test("a key that became of another type is taken over again", async () => {
  const { upstream, direct, prefix, version, state } = await setUp();
  await direct.set(`${prefix}:features`, "of somebody else");
  upstream.environment(sdkKey).patch("flags", greeting(2));
  await state("INTERRUPTED");
  await until(
    () => direct.type(`${prefix}:features`),
    (type) => type === "hash",
  );
  expect(await version()).toBe(2);
  await state("VALID");
});
