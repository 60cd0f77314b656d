import { createServer } from "node:http";
import { init } from "@launchdarkly/node-server-sdk";
import { RedisFeatureStore } from "@launchdarkly/node-server-sdk-redis";
import { createRelay, type Relay, type RelayOptions, type RelayStatus } from "@wye/relay";
import { createFakeUpstream, type FakeItem, type FakeUpstream } from "@wye/relay/testing";
import { expect, onTestFinished, test } from "vitest";
import { startFaultProxy } from "../../../scripts/databases/fault-proxy.js";
import { type RedisOptions, redisStore } from "../src/index.js";
import { connectTo, newPrefix, until } from "./fixtures.js";
import { type RedisServer, startRedis } from "./redis-server.js";

const sdkKey = "sdk-11111111-aaaa-4bbb-8ccc-222222222222";

/** A flag that gives a text to everybody. */
function saying(text: string, version: number, rest: object = {}): FakeItem & { readonly key: string } {
  return {
    key: "greeting",
    version,
    on: true,
    prerequisites: [],
    targets: [],
    contextTargets: [],
    rules: [],
    fallthrough: { variation: 0 },
    offVariation: 1,
    variations: [text, "off"],
    clientSideAvailability: { usingMobileKey: true, usingEnvironmentId: true },
    salt: "s",
    trackEvents: false,
    trackEventsFallthrough: false,
    debugEventsUntilDate: null,
    deleted: false,
    ...rest,
  };
}

interface Setting {
  readonly redis: RedisServer;
  readonly upstream: FakeUpstream;
  readonly prefix: string;
  /** Starts a relay on the same Redis and upstream. */
  start(options?: Partial<RelayOptions>, store?: RedisOptions): { relay: Relay; greeting(): Promise<string> };
}

async function setUp(text: string): Promise<Setting> {
  const redis = await startRedis();
  const upstream = await createFakeUpstream();
  const prefix = newPrefix();
  upstream.environment(sdkKey).setData({ flags: { greeting: saying(text, 1) } });
  onTestFinished(async () => {
    redis.signal("SIGCONT");
    await upstream.close();
    await redis.stop();
  });
  return {
    redis,
    upstream,
    prefix,
    start(options = {}, store = {}) {
      const relay = createRelay({
        environments: {
          production: {
            sdkKey,
            store: redisStore({ url: `redis://127.0.0.1:${redis.port}`, prefix, ...store }),
          },
        },
        upstream: upstream.roles,
        events: false,
        // Whoever is ready has heard upstream, however slow the machine is.
        initTimeout: "10m",
        ...options,
      });
      const server = createServer(relay.handler).listen(0, "127.0.0.1");
      onTestFinished(async () => {
        server.closeAllConnections();
        server.close();
        await relay.close({ within: "100ms" });
      });
      return {
        relay,
        async greeting() {
          const address = server.address();
          if (typeof address !== "object" || address === null) throw new Error("no port");
          const response = await fetch(`http://127.0.0.1:${address.port}/sdk/flags/greeting`, {
            headers: { authorization: sdkKey },
          });
          return response.ok ? JSON.parse(await response.text()).variations[0] : String(response.status);
        },
      };
    },
  };
}

const storeState = (status: RelayStatus) => status.environments.production?.dataStoreStatus.state;

test("an SDK in daemon mode reads what the relay writes: values, changes, deletions, segments", async () => {
  const { redis, upstream, prefix, start } = await setUp("hello");
  const members = {
    key: "members",
    version: 1,
    included: ["alice"],
    excluded: [],
    rules: [],
    salt: "s",
    deleted: false,
  };
  const clause = { attribute: "", op: "segmentMatch", values: ["members"], negate: false };
  const rule = { id: "r", variation: 0, clauses: [clause], trackEvents: false };
  const exclusive = saying("welcome back", 1, { key: "club", rules: [rule], fallthrough: { variation: 1 } });
  upstream
    .environment(sdkKey)
    .setData({ flags: { greeting: saying("hello", 1), club: exclusive }, segments: { members } });
  const { relay } = start();
  await relay.ready();
  const direct = await connectTo(redis.port);
  onTestFinished(() => direct.destroy());
  await until(
    () => direct.exists(`${prefix}:$inited`),
    (there) => there === 1,
  );
  const sdk = init(sdkKey, {
    useLdd: true,
    sendEvents: false,
    featureStore: RedisFeatureStore({
      redisOpts: { host: "127.0.0.1", port: redis.port },
      prefix,
      cacheTTL: 0,
    }),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  onTestFinished(() => sdk.close());
  await sdk.waitForInitialization({ timeout: 10 });
  const ask = (key: string, name = "bob") => sdk.variation(key, { kind: "user", key: name }, "fallback");
  expect(await ask("greeting")).toBe("hello");
  expect(await ask("club", "alice")).toBe("welcome back");
  expect(await ask("club", "bob")).toBe("off");
  upstream.environment(sdkKey).patch("flags", saying("good day", 2));
  await until(
    () => ask("greeting"),
    (text) => text === "good day",
  );
  upstream.environment(sdkKey).delete("flags", "greeting", 3);
  await until(
    () => ask("greeting"),
    (text) => text === "fallback",
  );
});

test("a relay that starts while upstream is away serves what another one has left", async () => {
  const { upstream, start } = await setUp("kept");
  const first = start();
  await first.relay.ready();
  await until(
    async () => storeState(first.relay.status()),
    (state) => state === "VALID",
  );
  await first.relay.close();
  upstream.environment(sdkKey).answer("silent");
  const second = start({ initTimeout: "500ms" });
  await second.relay.ready();
  await until(second.greeting, (text) => text === "kept");
  // What was read is served before the store has been asked whether it is whole.
  await until(
    async () => storeState(second.relay.status()),
    (state) => state === "VALID",
  );
  expect(second.relay.status().environments.production).toMatchObject({
    status: "disconnected",
    dataStoreStatus: { state: "VALID", database: "redis" },
  });
});

test("what changes while Redis is away is served at once and written when it is back", async () => {
  const { redis, upstream, prefix, start } = await setUp("before");
  const { relay, greeting } = start();
  await relay.ready();
  await until(
    async () => storeState(relay.status()),
    (state) => state === "VALID",
  );
  await redis.crash();
  upstream.environment(sdkKey).patch("flags", saying("meanwhile", 2));
  await until(greeting, (text) => text === "meanwhile");
  await until(
    async () => storeState(relay.status()),
    (state) => state === "INTERRUPTED",
  );
  expect(relay.status().status).toBe("healthy");
  await redis.start();
  await until(
    async () => storeState(relay.status()),
    (state) => state === "VALID",
  );
  const direct = await connectTo(redis.port);
  onTestFinished(() => direct.destroy());
  // It is asked what it has first, and filled then.
  const kept = await until(
    () => direct.hGet(`${prefix}:features`, "greeting"),
    (text) => text !== null,
  );
  expect(JSON.parse(kept ?? "").variations[0]).toBe("meanwhile");
  expect(await direct.exists(`${prefix}:$inited`)).toBe(1);
});

test("a Redis that comes back empty while nothing changes, or is emptied, is filled again", async () => {
  const { redis, upstream, prefix, start } = await setUp("kept");
  const { relay } = start();
  await relay.ready();
  const state = (wanted: string) =>
    until(
      async () => storeState(relay.status()),
      (one) => one === wanted,
    );
  const filled = async () => {
    const direct = await connectTo(redis.port);
    await until(
      () => direct.exists([`${prefix}:$inited`, `${prefix}:features`]),
      (count) => count === 2,
    );
    direct.destroy();
  };
  await filled();
  await redis.crash();
  await state("INTERRUPTED");
  await redis.start();
  await filled();
  await state("VALID");
  const direct = await connectTo(redis.port);
  await direct.flushAll();
  upstream.environment(sdkKey).patch("flags", saying("more", 2, { key: "another" }));
  direct.destroy();
  await filled();
});

test.each([{}, { cacheTtl: "2s" }])(
  "flags that are deleted without their marker are written again, and one flag is never all (%j)",
  async (store) => {
    const { redis, upstream, prefix, start } = await setUp("kept");
    const { relay } = start({}, store);
    await relay.ready();
    const direct = await connectTo(redis.port);
    onTestFinished(() => direct.destroy());
    const kept = () => direct.hLen(`${prefix}:features`);
    await until(kept, (flags) => flags === 1);
    await direct.del(`${prefix}:features`);
    await until(kept, (flags) => flags === 1);
    // What comes while nobody has noticed yet.
    await direct.del(`${prefix}:features`);
    upstream.environment(sdkKey).patch("flags", saying("more", 2, { key: "another" }));
    await until(kept, (flags) => flags > 0);
    expect(await kept()).toBe(2);
  },
);

test("a network that forgets a connection costs seconds, not the store", async () => {
  const redis = await startRedis();
  const proxy = await startFaultProxy(redis.port);
  const upstream = await createFakeUpstream({
    environments: { [sdkKey]: { flags: { greeting: saying("first", 1) } } },
  });
  const relay = createRelay({
    environments: {
      production: { sdkKey, store: redisStore({ url: `redis://127.0.0.1:${proxy.port}`, prefix: "ld" }) },
    },
    upstream: upstream.roles,
    events: false,
  });
  const direct = await connectTo(redis.port);
  onTestFinished(async () => {
    await relay.close({ within: 0 });
    direct.destroy();
    await upstream.close();
    await proxy.close();
    await redis.stop();
  });
  await until(
    () => direct.exists("ld:$inited"),
    (count) => count === 1,
  );
  proxy.forget();
  upstream.environment(sdkKey).patch("flags", saying("second", 2));
  await until(
    () => direct.hGet("ld:features", "greeting"),
    (text) => text?.includes("second") === true,
  );
  await until(
    async () => storeState(relay.status()),
    (state) => state === "VALID",
  );
});

test("a line on which everything is late by seconds delays no request, and all arrives", async () => {
  const { redis, upstream, prefix, start } = await setUp("first");
  const proxy = await startFaultProxy(redis.port);
  onTestFinished(() => proxy.close());
  proxy.lateMs = 1500;
  proxy.passage = "late";
  const { relay, greeting } = start({}, { url: `redis://127.0.0.1:${proxy.port}` });
  await relay.ready();
  upstream.environment(sdkKey).patch("flags", saying("second", 2));
  await until(greeting, (text) => text === "second");
  const direct = await connectTo(redis.port);
  onTestFinished(() => direct.destroy());
  // Upstream is heard at once, the database seconds later.
  await until(
    async () => JSON.parse((await direct.hGet(`${prefix}:features`, "greeting")) ?? "{}").version,
    (version) => version === 2,
  );
  await until(
    async () => storeState(relay.status()),
    (state) => state === "VALID",
  );
});

test("a Redis that hangs delays no request, no change and not the end", async () => {
  const { redis, upstream, start } = await setUp("before");
  const { relay, greeting } = start();
  await relay.ready();
  redis.signal("SIGSTOP");
  for (let version = 2; version <= 5; version++) {
    upstream.environment(sdkKey).patch("flags", saying(`version ${version}`, version));
    await until(greeting, (text) => text === `version ${version}`);
  }
  await relay.close({ within: "100ms" });
});

test("two relays on one Redis end with the highest versions, and with cacheTtl one sees what the other wrote", async () => {
  const { redis, prefix, start } = await setUp("old");
  const other = await createFakeUpstream({
    environments: { [sdkKey]: { flags: { greeting: saying("new", 9) } } },
  });
  onTestFinished(() => other.close());
  const late = start({}, { cacheTtl: "1s" });
  await late.relay.ready();
  expect(await late.greeting()).toBe("old");
  const direct = await connectTo(redis.port);
  onTestFinished(() => direct.destroy());
  const kept = async () => JSON.parse((await direct.hGet(`${prefix}:features`, "greeting")) ?? "{}").version;
  await until(kept, (version) => version === 1);
  const ahead = start({ upstream: other.roles });
  await ahead.relay.ready();
  await until(late.greeting, (text) => text === "new");
  expect(await kept()).toBe(9);
});
