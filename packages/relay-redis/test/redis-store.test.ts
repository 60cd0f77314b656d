import { createFixedSource, createRelay, RelayError } from "@wye/relay";
import { expect, test } from "vitest";
import { describeContracts } from "../../../scripts/databases/describe-contracts.js";
import { type RedisOptions, redisBigSegments, redisStore } from "../src/index.js";
import { contextOf, flag, never, newPrefix, until } from "./fixtures.js";
import { startRedisStandIn } from "./redis-stand-in.js";
import { open, server, startForEach, url } from "./stand-in-of-the-test.js";

startForEach();

describeContracts({
  async flags(count, told) {
    const prefix = newPrefix();
    return Array.from({ length: count }, () => redisStore({ url: url(), prefix })(contextOf("test", told)));
  },
  async members(count, told) {
    const prefix = newPrefix();
    return Array.from({ length: count }, () =>
      redisBigSegments({ url: url(), prefix })(contextOf("test", told)),
    );
  },
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
  [{ url: "redis://hunter2@h" }, /url has a user without a password; a password alone is written/],
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
  // What is given on purpose is not what is left out, empty as it is.
  [{ connectTimeout: "" }, /connectTimeout must be a time span/],
  [{ connectTimeout: null }, /connectTimeout must be a time span/],
  [{ url: "" }, /url must be like/],
  [{ url: null }, /url must be a string/],
  [{ prefix: "" }, /prefix must be text that is not empty/],
  [{ prefix: false }, /prefix must be text that is not empty/],
  [{ prefix: 0 }, /prefix must be text that is not empty/],
  [{ credentials: null }, /credentials must be a function/],
  [{ credentials: "" }, /credentials must be a function/],
  [{ command: null }, /command must be a function/],
  [{ command: null, url: "redis://h" }, /url and command exclude each other/],
  [{ command: null, password: "" }, /password is of no use with a command/],
  [{ tls: false }, /tls must be an object/],
  [{ tls: null }, /tls must be an object/],
  [{ username: "" }, /username needs a password/],
  [{ username: null, password: "x" }, /username must be a string/],
  [{ password: false }, /password must be a string/],
  [{ cluster: null }, /cluster must be a list of nodes/],
  [{ cluster: "" }, /cluster must be a list of nodes/],
  [{ sentinel: null }, /sentinel must be an object/],
  [{ sentinel: "" }, /sentinel must be an object/],
  [
    { sentinel: { name: "m", nodes: [{ host: "h", port: 1 }], credentials: null } },
    /credentials must be an object/,
  ],
  [{ cacheTtl: 0 }, /cacheTtl must be a time span/],
  [{ cacheTtl: "" }, /cacheTtl must be a time span/],
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

test("an environment takes the place of one that is removed in the same turn, under another name", async () => {
  const place = { url: url(), prefix: "ld-$CID" };
  const environment = (key: string) => ({
    sdkKey: "sdk",
    envId: "id",
    source: createFixedSource(JSON.stringify({ flags: { [key]: { key, version: 1 } } })).source,
    store: redisStore(place),
    bigSegments: redisBigSegments(place),
  });
  const relay = createRelay({ environments: { old: environment("a") } });
  const kept = () => server.keys.get("ld-id:features");
  await expect.poll(kept).toEqual(new Map([["a", expect.any(String)]]));
  const removed = relay.environments.remove("old");
  await relay.environments.add("new", environment("b"));
  await removed;
  await expect.poll(kept).toEqual(new Map([["b", expect.any(String)]]));
  await relay.close();
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
