import { parseItem, tombstone } from "@wye/relay";
import { bigSegmentStoreContract, flagStoreContract } from "@wye/relay/testing";
import { describe, expect, test } from "vitest";
import { redisBigSegments, redisStore } from "../src/index.js";
import { contextOf, described, flag, never, newPrefix } from "./fixtures.js";
import { shareRedis } from "./redis-server.js";

const redis = shareRedis();

const open = (prefix: string) =>
  redisStore({ url: `redis://127.0.0.1:${redis.port}`, prefix })(contextOf("test"));

/** Several relays with one Redis. */
function severalOf<Store>(openOne: (prefix: string) => Store): readonly Store[] {
  const prefix = newPrefix();
  return Array.from({ length: 4 }, () => openOne(prefix));
}

describe("the contract of stores", () => {
  for (const { name, run } of flagStoreContract) test(name, () => run(async () => severalOf(open)));
});

describe("the contract of big segments", () => {
  for (const { name, run } of bigSegmentStoreContract) {
    const create = (prefix: string) =>
      redisBigSegments({ url: `redis://127.0.0.1:${redis.port}`, prefix })(contextOf("test"));
    test(name, () => run(async () => severalOf(create)));
  }
});

test("writes big segments where SDKs look for them", async () => {
  const prefix = newPrefix();
  const store = redisBigSegments({ url: `redis://127.0.0.1:${redis.port}`, prefix })(contextOf("test"));
  const lists = (add: readonly string[]) => ({ add, remove: [] });
  await store.apply(
    {
      segmentId: "beta.g1",
      previousVersion: "",
      version: "v1",
      included: lists(["h1"]),
      excluded: lists(["h2"]),
    },
    never,
  );
  await store.setSynchronizedOn(1_700_000_000_123, never);
  expect(await redis.direct.get(`${prefix}:big_segments_cursor`)).toBe("v1");
  expect(await redis.direct.get(`${prefix}:big_segments_lock`)).toBe("");
  expect(await redis.direct.get(`${prefix}:big_segments_synchronized_on`)).toBe("1700000000123");
  expect([...(await redis.direct.sMembers(`${prefix}:big_segment_include:h1`))]).toEqual(["beta.g1"]);
  expect([...(await redis.direct.sMembers(`${prefix}:big_segment_exclude:h2`))]).toEqual(["beta.g1"]);
  expect(await redis.direct.keys(`${prefix}*`)).toHaveLength(5);
  await store.close();
});

test("a context in ten thousand segments enters one more, leaves one, and is read whole", async () => {
  const prefix = newPrefix();
  const store = redisBigSegments({ url: `redis://127.0.0.1:${redis.port}`, prefix })(contextOf("test"));
  const many = Array.from({ length: 10_000 }, (_, index) => `segment-${index}.g1`);
  await redis.direct.sAdd(`${prefix}:big_segment_include:h`, many);
  const none = { add: [], remove: [] };
  const enter = { segmentId: "new.g1", previousVersion: "", version: "v1", excluded: none };
  expect(await store.apply({ ...enter, included: { add: ["h"], remove: [] } }, never)).toBe(true);
  const leave = { segmentId: "segment-7.g1", previousVersion: "v1", version: "v2", excluded: none };
  expect(await store.apply({ ...leave, included: { add: [], remove: ["h"] } }, never)).toBe(true);
  const { included } = await store.memberships("h", never);
  expect([...included].sort()).toEqual([...many.filter((id) => id !== "segment-7.g1"), "new.g1"].sort());
  await store.close();
});

test("writes what SDKs in daemon mode read", async () => {
  const prefix = newPrefix();
  const store = open(prefix);
  await store.replace(
    [flag("a", 1), tombstone("flags", "gone", 4), parseItem("segments", "s", '{"version":2}')],
    never,
  );
  expect({ ...(await redis.direct.hGetAll(`${prefix}:features`)) }).toEqual({
    a: flag("a", 1).json,
    gone: '{"key":"$deleted","version":4,"deleted":true}',
  });
  expect({ ...(await redis.direct.hGetAll(`${prefix}:segments`)) }).toEqual({ s: '{"version":2}' });
  expect(await redis.direct.get(`${prefix}:$inited`)).toBe("");
  expect(await redis.direct.keys(`${prefix}*`)).toHaveLength(3);
  await store.close();
});

test("a prefix that begins like another one touches nothing of it", async () => {
  const prefix = newPrefix();
  const [short, long] = [open(prefix), open(`${prefix}2`)];
  await long.replace([flag("a", 7)], never);
  await short.replace([flag("b", 1)], never);
  await short.replace([], never);
  expect(described(await long.read(never))).toEqual(described([flag("a", 7)]));
  await Promise.all([short.close(), long.close()]);
});

test("what others wrote wrongly is left out, replaced by a newer item, and never in the way", async () => {
  const prefix = newPrefix();
  const store = open(prefix);
  await store.replace([flag("good", 1)], never);
  const odd = {
    text: "not json",
    list: "[]",
    nothing: "null",
    plain: '"a"',
    unversioned: "{}",
    worded: '{"version":"7"}',
    infinite: '{"version":1e999}',
  };
  await redis.direct.hSet(`${prefix}:features`, odd);
  await redis.direct.hSet(`${prefix}:features`, "bytes", Buffer.from([0xff, 0xfe, 0x00]));
  expect(described(await store.read(never))).toEqual(described([flag("good", 1)]));
  const repaired = [...Object.keys(odd), "bytes"].map((key) => flag(key, 1));
  expect(await store.upsert(repaired, never)).toEqual([]);
  expect(await store.read(never)).toHaveLength(9);
  await store.close();
});

test("a key of another type is taken over by a full set and named by an error of a single write", async () => {
  const prefix = newPrefix();
  const store = open(prefix);
  await redis.direct.set(`${prefix}:features`, "a string");
  await expect(store.upsert([flag("a", 1)], never)).rejects.toThrow(/WRONGTYPE/);
  await store.replace([flag("a", 2)], never);
  expect(described(await store.read(never))).toEqual(described([flag("a", 2)]));
  await store.close();
});

test("a full set of 5,000 flags is seen as a whole, whenever one reads", async () => {
  const prefix = newPrefix();
  const [writer, reader] = [open(prefix), open(prefix)];
  const set = (version: number) => Array.from({ length: 5000 }, (_, index) => flag(`flag-${index}`, version));
  await writer.replace(set(1), never);
  let writing = true;
  const written = (async () => {
    for (let version = 2; version <= 12; version++) await writer.replace(set(version), never);
    writing = false;
  })();
  while (writing) {
    const seen = new Set((await reader.read(never))?.map(({ version }) => version));
    expect(seen.size).toBe(1);
  }
  await written;
  expect((await reader.read(never))?.[4999]?.version).toBe(12);
  await Promise.all([writer.close(), reader.close()]);
});

test("a connection of the host serves as well, and stays open", async () => {
  const prefix = newPrefix();
  const factory = redisStore({ prefix, command: (_key, command) => redis.direct.sendCommand(command) });
  const store = factory(contextOf("test"));
  await store.replace([flag("a", 1)], never);
  expect(store.about).toEqual({ database: "redis", dbPrefix: prefix });
  await store.close();
  expect(await redis.direct.ping()).toBe("PONG");
});
