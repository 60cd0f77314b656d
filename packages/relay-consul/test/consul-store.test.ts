import { type FlagStoreContext, type Item, parseItem, RelayError, tombstone } from "@wye/relay";
import { createManualClock, flagStoreContract } from "@wye/relay/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ConsulOptions, consulStore } from "../src/index.js";
import { type ConsulServer, startConsulServer } from "./consul-server.js";

let server: ConsulServer;
let prefixes = 0;
const told: string[] = [];
const never = new AbortController().signal;
const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => void told.push(message) };
const context: FlagStoreContext = {
  environment: "test",
  envId: "507f1f77bcf86cd799439011",
  filter: undefined,
  logger,
  clock: createManualClock(0),
};
const flag = (key: string, version: number, rest: object = {}): Item =>
  parseItem("flags", key, JSON.stringify({ key, version, ...rest }));
const described = (items: readonly Item[] | undefined) =>
  items?.map(({ kind, key, json }) => `${kind} ${key} ${json}`).sort();
const newPrefix = () => `test-${++prefixes}`;
const open = (options: ConsulOptions = {}) =>
  consulStore({ address: server.address, prefix: newPrefix(), ...options })(context);

beforeAll(async () => {
  server = await startConsulServer();
});
afterAll(() => server.close());
beforeEach(() => {
  told.length = 0;
});

describe("the contract of stores", () => {
  for (const { name, run } of flagStoreContract) test(name, () => run(async () => open()));
});

test("writes what SDKs in daemon mode read", async () => {
  const store = open({ prefix: "ld-$CID" });
  const [plain, segment] = [flag("a", 1), parseItem("segments", "s", '{"version":2}')];
  await store.replace([plain, tombstone("flags", "gone", 4), segment], never);
  const written = [...server.entries].filter(([key]) => key.startsWith("ld-"));
  expect(Object.fromEntries(written)).toEqual({
    "ld-507f1f77bcf86cd799439011/features/a": plain.json,
    "ld-507f1f77bcf86cd799439011/features/gone": '{"key":"$deleted","version":4,"deleted":true}',
    "ld-507f1f77bcf86cd799439011/segments/s": segment.json,
    "ld-507f1f77bcf86cd799439011/$inited": "",
  });
  expect(store.about).toEqual({
    database: "consul",
    dbServer: server.address,
    dbPrefix: "ld-507f1f77bcf86cd799439011",
  });
  await store.close();
});

test("a prefix that begins like another one, and what else is under the same one, stay as they are", async () => {
  const prefix = newPrefix();
  const [short, long] = [open({ prefix }), open({ prefix: `${prefix}2` })];
  server.set(`${prefix}/notes`, "of a colleague");
  await long.replace([flag("a", 7)], never);
  await short.replace([flag("b", 1)], never);
  await short.replace([], never);
  expect(described(await long.read(never))).toEqual(described([flag("a", 7)]));
  expect(server.entries.get(`${prefix}/notes`)).toBe("of a colleague");
  expect(await short.read(never)).toEqual([]);
});

test("a value larger than Consul takes is reported and left out, whichever way it comes; others are kept", async () => {
  const store = open();
  const large = flag("large", 2, { text: "x".repeat(400_000) });
  await store.replace([flag("a", 1), large], never);
  expect(await store.upsert([large, flag("b", 1)], never)).toEqual([]);
  expect((await store.read(never))?.map(({ key }) => key)).toEqual(["a", "b"]);
  expect(told).toHaveLength(2);
  const fits = flag("fits", 1, { text: "x".repeat(350_000) });
  await store.upsert([fits], never);
  expect((await store.read(never))?.find(({ key }) => key === "fits")?.json).toBe(fits.json);
});

test("writers at the same time lose no update: the highest version stays, and the late are told", async () => {
  const prefix = newPrefix();
  const [one, two] = [open({ prefix }), open({ prefix })];
  await one.replace([], never);
  const versions = Array.from({ length: 30 }, (_, index) => index + 1);
  await Promise.all(
    versions.flatMap((version) =>
      [
        { store: one, item: flag("a", version, { by: "one" }) },
        { store: two, item: flag("a", 31 - version, { by: "two" }) },
      ].map(async ({ store, item }) => {
        const [kept] = await store.upsert([item], never);
        expect(kept?.version ?? item.version).toBeGreaterThanOrEqual(item.version);
      }),
    ),
  );
  expect((await one.read(never))?.map(({ version }) => version)).toEqual([30]);
});

test("what others wrote wrongly is left out and gives way", async () => {
  const prefix = newPrefix();
  const store = open({ prefix });
  await store.replace([flag("good", 1)], never);
  server.set(`${prefix}/features/odd`, "no json");
  server.set(`${prefix}/features/empty`, "");
  expect(described(await store.read(never))).toEqual(described([flag("good", 1)]));
  expect(told).toHaveLength(2);
  expect(await store.upsert([flag("odd", 1), flag("empty", 1)], never)).toEqual([]);
});

test("the token is asked for every time, the data centre is named, and a refusal says why", async () => {
  const tokens = ["first", "second", "wrong"];
  const store = open({ token: async () => tokens.shift() ?? "", datacenter: "far", prefix: "odd prefix?#%" });
  await store.read(never);
  await store.read(never);
  expect(server.requests.slice(-2)).toEqual([
    "GET /v1/kv/odd%20prefix%3F%23%25/?recurse=&consistent=&dc=far first",
    "GET /v1/kv/odd%20prefix%3F%23%25/?recurse=&consistent=&dc=far second",
  ]);
  await expect(store.read(never)).rejects.toThrow("Consul answered 403: ACL not found");
});

test("a call that is given up ends", async () => {
  const given = new AbortController();
  given.abort(new Error("too late"));
  await expect(open().read(given.signal)).rejects.toThrow("too late");
});

test("wrong options are named, all of them, and so are two environments under one prefix", () => {
  const wrong = { address: "consul:8500", prefix: "/ld", cacheTtl: "10ms", url: "x" };
  expect(() => consulStore(wrong)).toThrow(RelayError);
  expect(() => consulStore(wrong)).toThrow(
    'there is no option "url"; address must be like "http://localhost:8500"; prefix must not be empty, nor begin or end with a slash; cacheTtl must be at least "1s"',
  );
  const factory = consulStore({ address: server.address });
  factory(context);
  expect(() => factory({ ...context, environment: "other" })).toThrow(
    /"other" and "test" would overwrite each other/,
  );
  expect(factory({ ...context, environment: "test/web", filter: "web" }).about?.dbPrefix).toBe(
    "launchdarkly/web",
  );
});
