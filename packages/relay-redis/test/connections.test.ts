import { tombstone } from "@wye/relay";
import { createManualClock } from "@wye/relay/testing";
import { expect, test } from "vitest";
import { type RedisOptions, redisStore } from "../src/index.js";
import { contextOf, described, flag, never, newPrefix, until } from "./fixtures.js";
import { startRedisStandIn } from "./redis-stand-in.js";
import { open, server, startForEach, url } from "./stand-in-of-the-test.js";

startForEach();

test("environments of one factory share a connection, which the last one closes", async () => {
  const factory = redisStore({ url: url(), prefix: "ld-$CID" });
  const stores = ["a", "b"].map((envId) => factory({ ...contextOf(envId), envId }));
  expect(server.connections).toBe(0);
  await Promise.all(stores.map((store) => store.replace([flag("x", 1), tombstone("flags", "y", 2)], never)));
  expect(server.connections).toBe(1);
  expect([...server.keys.keys()].sort()).toEqual([
    "ld-a:$inited",
    "ld-a:features",
    "ld-b:$inited",
    "ld-b:features",
  ]);
  await stores[0]?.close();
  await stores[0]?.close();
  expect(await stores[1]?.read(never)).toHaveLength(2);
  expect(server.connections).toBe(1);
  await expect(stores[0]?.read(never)).rejects.toThrow("the connection to Redis is closed");
  await stores[1]?.close();
  const again = factory({ ...contextOf("a"), envId: "a" });
  expect(await again.read(never)).toHaveLength(2);
  expect(server.connections).toBe(2);
  await again.close();
});

test("an environment that is refused its place uses no connection, which ends with those that have one", async () => {
  const factory = redisStore({ url: url(), prefix: "ld" });
  const store = factory(contextOf("a"));
  await store.replace([flag("x", 1)], never);
  expect(() => factory(contextOf("b"))).toThrow("would overwrite each other's flags");
  expect(await store.read(never)).toHaveLength(1);
  await store.close();
  const next = factory(contextOf("b"));
  expect(() => factory(contextOf("a"))).toThrow("would overwrite each other's flags");
  expect(await next.read(never)).toHaveLength(1);
  expect(server.connections).toBe(2);
  await next.close();
  await until(
    async () => server.open,
    (count) => count === 0,
  );
});

test("each outage is told of once, whatever was told of the one before", async () => {
  const clock = createManualClock(0);
  const told: string[] = [];
  const logger = { ...contextOf("test").logger, warn: (message: string) => void told.push(message) };
  const store = redisStore({ url: url(), prefix: newPrefix() })({ ...contextOf("test"), clock, logger });
  await store.replace([flag("a", 1)], never);
  const lines: string[][] = [];
  for (const outage of [1, 2, 3]) {
    server.mute();
    const calls = [store.read(never), store.isFilled?.(never)].map((call) =>
      expect(call).rejects.toThrow("no answer within"),
    );
    clock.advance(20_000);
    await Promise.all(calls);
    lines.push(told.splice(0));
    expect(described(await store.read(never))).toEqual(described([flag("a", 1)]));
    expect([store.losses?.(), told, server.connections]).toEqual([outage, [], outage + 1]);
  }
  const line = `Redis at ${url()}: no answer within 10000 ms; connecting anew`;
  expect(lines).toEqual([[line], [line], [line]]);
  await store.close();
});

test("what is in the way is told of once however often it is met, and what takes its place is told of too", async () => {
  const guarded = await startRedisStandIn({ password: "secret" });
  const clock = createManualClock(0);
  const told: string[] = [];
  const logger = { ...contextOf("test").logger, warn: (message: string) => void told.push(message) };
  const options = { url: `redis://127.0.0.1:${guarded.port}`, password: "wrong" };
  const store = redisStore(options)({ ...contextOf("test"), clock, logger });
  for (const attempts of [1, 2, 3]) {
    await expect(store.read(never)).rejects.toThrow("WRONGPASS");
    expect(guarded.connections).toBe(attempts);
    clock.advance(5000);
  }
  const line = expect.stringMatching(/: WRONGPASS invalid username-password pair \(/);
  expect(told).toEqual([line]);
  await guarded.close();
  for (let attempts = 0; attempts < 3; attempts++) {
    await expect(store.read(never)).rejects.toThrow("ECONNREFUSED");
    clock.advance(5000);
  }
  expect(told).toEqual([line, expect.stringContaining("ECONNREFUSED")]);
  await store.close();
});

test("a lost connection fails what is asked meanwhile, and comes back", async () => {
  const store = open();
  await store.replace([flag("a", 1)], never);
  expect(store.losses?.()).toBe(0);
  server.disconnect();
  await until(
    () => store.read(never).then(described, () => undefined),
    (items) => items !== undefined,
  );
  expect(server.connections).toBe(2);
  expect(store.losses?.()).toBe(1);
  await store.close();
});

test("while there is no connection each call fails at once, and none is made up for later", async () => {
  const away = await startRedisStandIn();
  const store = open({ url: `redis://127.0.0.1:${away.port}` });
  await store.replace([flag("a", 1)], never);
  await away.close();
  for (let times = 0; times < 5; times++) await expect(store.isFilled?.(never)).rejects.toThrow();
  await store.close();
});

test("a connection on which nobody answers is given up after a while, and another one is made", async () => {
  const clock = createManualClock(0);
  const context = { ...contextOf("test"), clock };
  const store = redisStore({ url: url(), prefix: newPrefix(), connectTimeout: "1s" })(context);
  await store.replace([flag("a", 1)], never);
  server.mute();
  const given = new AbortController();
  const [patient, impatient] = [store.isFilled?.(never), store.isFilled?.(given.signal)];
  given.abort(new Error("too late"));
  await expect(impatient).rejects.toThrow("too late");
  clock.advance(9999);
  expect(server.connections).toBe(1);
  clock.advance(1);
  await expect(patient).rejects.toThrow();
  expect(described(await store.read(never))).toEqual(described([flag("a", 1)]));
  expect(server.connections).toBe(2);
  await store.close();
});

test("what is in the way of a connection is told at once by each call, and nothing is made up for later", async () => {
  const guarded = await startRedisStandIn({ password: "secret" });
  const told: string[] = [];
  const logger = { ...contextOf("test").logger, warn: (message: string) => void told.push(message) };
  const store = redisStore({ url: `redis://127.0.0.1:${guarded.port}`, password: "wrong" })({
    ...contextOf("test"),
    logger,
  });
  for (let times = 0; times < 2; times++)
    await expect(store.replace([flag("a", 1)], never)).rejects.toThrow(
      "WRONGPASS invalid username-password pair",
    );
  expect(told).toEqual([
    expect.stringMatching(
      /^Redis at redis:\/\/127\.0\.0\.1:\d+: WRONGPASS invalid username-password pair \(/,
    ),
  ]);
  await store.close();
  expect(guarded.keys.size).toBe(0);
  await guarded.close();
});

test("a call that is given up while nobody answers ends, and is not made up for later", async () => {
  const silent = await startRedisStandIn({ silent: true });
  const store = redisStore({ url: `redis://127.0.0.1:${silent.port}` })(contextOf("test"));
  const given = new AbortController();
  const writing = store.replace([flag("a", 1)], given.signal);
  await until(
    async () => silent.connections,
    (count) => count > 0,
  );
  given.abort(new Error("too late"));
  await expect(writing).rejects.toThrow("too late");
  await store.close();
  expect(silent.keys.size).toBe(0);
  await silent.close();
});

test.each([
  { connectTimeout: "5s", waited: 10_000 },
  { connectTimeout: "1m", waited: 60_000 },
])(
  "a server that takes connections and greets nobody is away after $waited ms",
  async ({ connectTimeout, waited }) => {
    const silent = await startRedisStandIn({ silent: true });
    const clock = createManualClock(0);
    const told: string[] = [];
    const logger = { ...contextOf("test").logger, warn: (message: string) => void told.push(message) };
    const options = { url: `redis://127.0.0.1:${silent.port}`, prefix: "ld", connectTimeout };
    const store = redisStore(options)({ ...contextOf("test"), clock, logger });
    const failures: string[] = [];
    const calls = [store.read(never), store.isFilled?.(never)].map((call) =>
      call?.catch(({ message }: Error) => failures.push(message)),
    );
    await until(
      async () => silent.connections,
      (count) => count === 1,
    );
    clock.advance(waited - 1);
    await new Promise(setImmediate);
    expect(failures).toEqual([]);
    clock.advance(1);
    await Promise.all(calls);
    const reason = `no answer within ${waited} ms`;
    expect(failures).toEqual([expect.stringContaining(reason), expect.stringContaining(reason)]);
    expect(new Set(told)).toEqual(new Set([`Redis at ${options.url}: ${reason}; connecting anew`]));
    // Whoever comes next asks the address again, and nobody stays behind.
    const again = store.read(never).catch(() => {});
    await until(
      async () => [silent.connections, silent.open],
      ([count, open]) => count === 2 && open === 1,
    );
    await store.close();
    await again;
    expect(clock.pending).toBe(0);
    await silent.close();
  },
);

test("a server that greets nobody any more once a connection was lost is given up as at first, and asked anew", async () => {
  const clock = createManualClock(0);
  const store = redisStore({ url: url(), prefix: newPrefix() })({ ...contextOf("test"), clock });
  await store.replace([flag("a", 1)], never);
  server.silent = true;
  server.disconnect();
  // What is asked before the client has noticed fails with the connection.
  await store.isFilled?.(never).catch(() => {});
  const failures: string[] = [];
  const calls = [store.read(never), store.isFilled?.(never)].map((call) =>
    call?.catch(({ message }: Error) => failures.push(message)),
  );
  await until(
    async () => server.connections,
    (count) => count === 2,
  );
  clock.advance(9999);
  await new Promise(setImmediate);
  expect(failures).toEqual([]);
  clock.advance(1);
  await Promise.all(calls);
  expect(failures).toEqual([
    expect.stringContaining("no answer within 10000 ms"),
    expect.stringContaining("no answer within 10000 ms"),
  ]);
  server.silent = false;
  expect(described(await store.read(never))).toEqual(described([flag("a", 1)]));
  expect([server.connections, server.open]).toEqual([3, 1]);
  await store.close();
});

for (const [kind, options] of Object.entries({
  cluster: (nodes) => ({ cluster: nodes, prefix: "{ld}" }),
  sentinel: (nodes) => ({ sentinel: { name: "main", nodes, credentials: { password: "x" } }, tls: {} }),
} satisfies Record<string, (nodes: { host: string; port: number }[]) => RedisOptions>)) {
  test(`a ${kind} of which nobody answers fails each call, hangs in none and is asked again`, async () => {
    const away = await startRedisStandIn();
    await away.close();
    const store = redisStore(options([{ host: "127.0.0.1", port: away.port }]))(contextOf("test"));
    for (let attempt = 0; attempt < 3; attempt++) {
      const given = new AbortController();
      const reading = store.read(given.signal);
      setImmediate(() => given.abort(new Error("too late")));
      await expect(reading).rejects.toThrow();
    }
    await store.close();
  });
}

const nobody = { host: "127.0.0.1", port: 1 };

test.each<[string, RedisOptions, string]>([
  ["a server", { url: "redis://127.0.0.1:1" }, ""],
  ["a cluster", { cluster: [nobody], prefix: "{ld}" }, "All the root nodes are unavailable: "],
  ["sentinels", { sentinel: { name: "main", nodes: [nobody] } }, "None of the sentinels are available: "],
])("what is in the way of %s is told in words, with what the client has met", async (_, options, outcome) => {
  const told: string[] = [];
  const logger = { ...contextOf("test").logger, warn: (message: string) => void told.push(message) };
  const store = redisStore(options)({ ...contextOf("test"), logger });
  const met = { code: "ECONNREFUSED" };
  const reason = "connect ECONNREFUSED 127.0.0.1:1 (nobody listens there: ";
  await expect(store.read(never)).rejects.toMatchObject({
    code: "store_failed",
    message: expect.stringContaining(`${outcome}${reason}`),
    cause: outcome === "" ? met : { cause: met },
  });
  expect(told.length).toBeGreaterThan(0);
  for (const message of told) {
    expect(message).toMatch(`Redis at ${store.about?.dbServer}: `);
    expect(message).toContain(reason);
  }
  expect(store.losses?.()).toBe(0);
  await store.close();
});

test("whatever moment it is closed at, no connection is left", async () => {
  for (let turns = 0; turns < 12; turns++) {
    const store = open();
    const reading = store.read(never).catch(() => {});
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    await store.close();
    await reading;
  }
  await until(
    async () => server.open,
    (count) => count === 0,
  );
});
