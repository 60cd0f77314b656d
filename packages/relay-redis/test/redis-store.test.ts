import { createRelay, RelayError, tombstone } from "@wye/relay";
import { bigSegmentStoreContract, createManualClock, flagStoreContract } from "@wye/relay/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RedisOptions, redisBigSegments, redisStore } from "../src/index.js";
import { contextOf, described, flag, never, newPrefix, until } from "./fixtures.js";
import { type RedisStandIn, startRedisStandIn } from "./redis-stand-in.js";

let server: RedisStandIn;
const url = () => `redis://127.0.0.1:${server.port}`;
const open = (options: RedisOptions = {}) =>
  redisStore({ url: url(), prefix: newPrefix(), ...options })(contextOf("test"));

beforeEach(async () => {
  server = await startRedisStandIn();
});
afterEach(() => server.close());

describe("the contract of stores", () => {
  for (const { name, run } of flagStoreContract) {
    const shared = () => {
      const prefix = newPrefix();
      return [open({ prefix }), open({ prefix })];
    };
    test(name, () => run(async () => shared()));
  }
});

describe("the contract of big segments", () => {
  for (const { name, run } of bigSegmentStoreContract) {
    const shared = () => {
      const options = { url: url(), prefix: newPrefix() };
      return [redisBigSegments(options), redisBigSegments(options)].map((open) => open(contextOf("test")));
    };
    test(name, () => run(async () => shared()));
  }
});

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

test("a lost connection fails what is asked meanwhile, and comes back", async () => {
  const store = open();
  await store.replace([flag("a", 1)], never);
  server.disconnect();
  await until(
    () => store.read(never).then(described, () => undefined),
    (items) => items !== undefined,
  );
  expect(server.connections).toBe(2);
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

test("credentials that change are asked for at each connection", async () => {
  const guarded = await startRedisStandIn({ password: "second" });
  const passwords = ["first", "second"];
  const store = redisStore({
    url: `redis://127.0.0.1:${guarded.port}`,
    credentials: () => ({ username: "relay", password: passwords.shift() ?? "" }),
  })(contextOf("test"));
  await expect(store.read(never)).rejects.toThrow("WRONGPASS");
  await until(
    () =>
      store.replace([flag("a", 1)], never).then(
        () => true,
        () => false,
      ),
    (written) => written,
  );
  expect(await store.read(never)).toHaveLength(1);
  expect(passwords).toEqual([]);
  await store.close();
  await guarded.close();
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

test("what is in the way of sentinels is told in words", async () => {
  const told: string[] = [];
  const logger = { ...contextOf("test").logger, warn: (message: string) => void told.push(message) };
  const sentinel = { name: "main", nodes: [{ host: "127.0.0.1", port: 1 }] };
  const store = redisStore({ sentinel })({ ...contextOf("test"), logger });
  await expect(store.read(never)).rejects.toThrow("ECONNREFUSED");
  expect(told.length).toBeGreaterThan(0);
  for (const message of told) expect(message).toContain("ECONNREFUSED");
  await store.close();
});

test("the status names the server, never a password", () => {
  const about = (options: RedisOptions) => redisStore(options)(contextOf("test")).about?.dbServer;
  const node = { host: "10.0.0.1", port: 7000 };
  expect(about({})).toBe("redis://localhost:6379");
  expect(about({ url: "rediss://relay:secret@db:6380/2" })).toBe("rediss://relay:xxxxx@db:6380/2");
  expect(about({ url: "redis://:secret@db" })).toBe("redis://:xxxxx@db");
  expect(about({ cluster: [node, { ...node, port: 7001 }], prefix: "{ld}" })).toBe(
    "redis-cluster://10.0.0.1:7000,10.0.0.1:7001",
  );
  expect(about({ sentinel: { name: "main", nodes: [node] } })).toBe("redis-sentinel://10.0.0.1:7000/main");
  expect(about({ command: async () => [] })).toBeUndefined();
});

test("the prefix tells environments and filters apart", () => {
  const at = (prefix: RedisOptions["prefix"], envId?: string, filter?: string) =>
    redisStore(prefix === undefined ? {} : { prefix })({ ...contextOf("prod"), envId, filter }).about
      ?.dbPrefix;
  expect(at(undefined)).toBe("launchdarkly");
  expect(at(undefined, "id", "web")).toBe("launchdarkly/web");
  expect(at("ld-$CID", "id")).toBe("ld-id");
  expect(at("ld-$CID", "id", "web")).toBe("ld-id.web");
  expect(at("ld-$CID")).toBe("ld-prod");
  expect(at(({ environment, filter }) => `own-${environment}-${filter}`, "id", "web")).toBe("own-prod-web");
  const factory = redisStore();
  factory(contextOf("one"));
  expect(() => factory(contextOf("two"))).toThrow(/"two" and "one" would overwrite each other/);
  expect(() => redisStore({ cluster: [{ host: "a", port: 1 }] })(contextOf("one"))).toThrow(
    /"\{launchdarkly\}" instead/,
  );
});

test("wrong options are named, all of them", () => {
  const wrong = {
    url: "http://localhost",
    cluster: [],
    sentinel: { name: "", nodes: [] },
    prefix: "",
    connectTimeout: "soon",
    cacheTtl: "10ms",
    host: "localhost",
  };
  expect(() => redisStore(wrong)).toThrow(RelayError);
  expect(problemsOf(wrong)).toEqual([
    expect.stringMatching(/^there is no option "host"; there are url, sentinel, cluster, command, /),
    "url and sentinel and cluster exclude each other",
    'url must be like "redis://host:6379" or "rediss://user:password@host:6379/0"',
    "name must be the name of the leader",
    expect.stringMatching(/^nodes must be a list of nodes like /),
    expect.stringMatching(/^cluster must be a list of nodes like /),
    "prefix must be text that is not empty, or a function that gives it",
    expect.stringMatching(/^connectTimeout must be a time span/),
    'cacheTtl must be a time span of at least "1s"',
  ]);
});

/** What the message says of these options, without the places. */
function problemsOf(options: unknown): readonly string[] {
  try {
    // Programs without types pass what they like.
    redisStore(options as RedisOptions);
  } catch (error) {
    if (!(error instanceof RelayError)) throw error;
    return error.message
      .split("\n")
      .map((line) => line.replace(/^redisStore(\.\w+)*: |^sentinel(\.\w+)*: /, ""));
  }
  return [];
}

test.each<[unknown, RegExp]>([
  [null, /the options must be an object/],
  [{ url: "redis://h?db=3" }, /url must be like/],
  [{ url: "redis://h/abc" }, /url must be like/],
  [{ url: "redis://h/1/2" }, /url must be like/],
  [{ url: "redis://h/-1" }, /url must be like/],
  [{ url: "redis://u:p%ZZ@h" }, /url must be like/],
  [{ url: "redis://h:0" }, /url must be like/],
  [{ url: "redis:x@h" }, /url must be like/],
  [{ url: "redis://" }, /url must be like/],
  [{ url: new URL("redis://h") }, /url must be a string/],
  [{ url: 5 }, /url must be a string/],
  [{ prefix: 5 }, /prefix must be text/],
  [{ credentials: { password: "x" } }, /credentials must be a function/],
  [{ command: 5 }, /command must be a function/],
  [{ command: async () => [], password: "x" }, /password is of no use with a command/],
  [{ command: async () => [], connectTimeout: "1s" }, /connectTimeout is of no use/],
  [{ tls: true }, /tls must be an object/],
  [{ tls: { ca: 5 } }, /tls cannot be used: /],
  [{ username: 5, password: "x" }, /username must be a string/],
  [{ username: "relay" }, /username needs a password/],
  [{ cluster: "h:1" }, /cluster must be a list of nodes/],
  [{ cluster: [{ host: "h" }] }, /cluster must be a list of nodes/],
  [{ cluster: [{ host: "h", port: 65_536 }] }, /cluster must be a list of nodes/],
  [{ sentinel: {} }, /name must be the name of the leader/],
  [{ sentinel: { name: "m", nodes: [{ host: "h", port: "26379" }] } }, /nodes must be a list/],
  [
    { sentinel: { name: "m", nodes: [{ host: "h", port: 1 }], credentials: { user: "x" } } },
    /user is not an option/,
  ],
  [{ connectTimeout: 0 }, /connectTimeout must be a time span/],
])("options that make no sense are refused: %j", (options, problem) => {
  expect(problemsOf(options).join("; ")).toMatch(problem);
});

test.each<[unknown, RegExp]>([
  [async () => "x", /that names a place in the database must give text, not a promise/],
  [() => 5, /must give text, not number/],
  [() => undefined, /must give text, not undefined/],
  [() => "", /prefix must not be empty/],
  [
    () => {
      throw new Error("no tenant");
    },
    /the function for "test" .* has thrown/,
  ],
])("a prefix that a function gives is checked as well: %s", (prefix, problem) => {
  const factory = redisStore({ prefix: prefix as () => string });
  expect(() => factory(contextOf("test"))).toThrow(RelayError);
  expect(() => factory(contextOf("test"))).toThrow(problem);
});

test("two environments of a relay under one prefix are refused, whoever made their stores; big segments beside flags are not", async () => {
  const environment = (key: string, options: RedisOptions = {}) => ({
    sdkKey: key,
    store: redisStore({ url: "redis://127.0.0.1:1", ...options }),
    bigSegments: redisBigSegments({ url: "redis://127.0.0.1:1", ...options }),
  });
  const create = (environments: Parameters<typeof createRelay>[0]["environments"]) => {
    const upstream = {
      app: "http://127.0.0.1:1",
      stream: "http://127.0.0.1:1",
      events: "http://127.0.0.1:1",
    };
    return createRelay({ upstream, environments: environments ?? {}, logger: contextOf("x").logger });
  };
  const twins = { a: environment("A"), b: environment("B", { url: "redis://me:secret@127.0.0.1:1" }) };
  expect(() => create(twins)).toThrow(
    /"b" and "a" would overwrite each other's flags under prefix "launchdarkly"/,
  );
  const apart = create({ a: environment("A"), b: environment("B", { prefix: "other" }) });
  await apart.close({ within: 0 });
  const again = create({ a: environment("A"), b: environment("B", { url: "redis://127.0.0.1:1/2" }) });
  await again.close({ within: 0 });
});

test("stores of flags and of big segments are not mixed up", () => {
  const mixed = { sdkKey: "A", store: redisBigSegments() as unknown as ReturnType<typeof redisStore> };
  expect(() => createRelay({ environments: { a: mixed } })).toThrow(
    "[a] a store must be an object with the methods read, replace, upsert, close; missing: read, replace, upsert",
  );
});

test.each<[string, RedisOptions, string[]]>([
  ["redis://relay:p%40ss@HOST", {}, ["3", "AUTH", "relay", "p@ss"]],
  ["redis://relay:p%40ss@HOST", { username: "other" }, ["3", "AUTH", "other", "p@ss"]],
  ["redis://relay:p%40ss@HOST", { password: "other" }, ["3", "AUTH", "relay", "other"]],
  ["redis://:p%40ss@HOST", {}, ["3", "AUTH", "default", "p@ss"]],
  ["redis://HOST", {}, ["3"]],
])("the user of %s with %j is told to the server", async (url, options, greeting) => {
  const store = open({ url: url.replace("HOST", `127.0.0.1:${server.port}`), ...options });
  await store.read(never);
  expect(server.greetings.map((words) => words.slice(0, greeting.length))).toEqual([greeting]);
  expect(server.greetings.flat().includes("AUTH")).toBe(greeting.includes("AUTH"));
  await store.close();
});

test.each([
  { url: "redis://:nope@HOST", password: "secret" },
  { url: "redis://:nope@HOST", credentials: () => ({ password: "secret" }) },
  { url: "redis://HOST", password: "nope", credentials: () => ({ password: "secret" }) },
  { url: "redis://:secret@HOST" },
])(
  "who comes is decided by credentials, then by options, then by the URL: $url",
  async ({ url, ...options }) => {
    const guarded = await startRedisStandIn({ password: "secret" });
    const host = `127.0.0.1:${guarded.port}`;
    const store = redisStore({ url: url.replace("HOST", host), ...options })(contextOf("test"));
    await store.replace([flag("a", 1)], never);
    await store.close();
    await guarded.close();
  },
);

test.each<[string, () => unknown, string]>([
  ["that gives text", () => "secret", "credentials must give { username, password }, both texts"],
  ["that throws null", () => Promise.reject(null), "credentials cannot be had: null"],
  ["that never answers", () => new Promise(() => {}), "credentials has given nothing within 50 ms"],
])("a provider of credentials %s is told of", async (_name, credentials, message) => {
  const told: string[] = [];
  const logger = { ...contextOf("test").logger, warn: (text: string) => void told.push(text) };
  const options = {
    url: url(),
    connectTimeout: "50ms",
    credentials: credentials as () => { password: string },
  };
  const store = redisStore(options)({ ...contextOf("test"), logger });
  const given = new AbortController();
  const reading = store.read(given.signal).catch(() => {});
  await until(
    async () => told,
    (messages) => messages.length > 0,
  );
  expect(told).toEqual([`Redis at ${url()}: ${message}`]);
  given.abort();
  await reading;
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
