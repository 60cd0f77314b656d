import http from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { ask, fullKey, listening, openCatalogue, openRouter } from "../../test/server/listening.js";
import { createBoundedCache } from "./bounded-cache.js";
import { createTokenBucket } from "./http/rate-limit.js";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Bytes that are held, after everything else has been collected. */
function held(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Numbers below one, the same with every run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state >>> 8) % below;
  };
}

describe("a bounded cache", () => {
  test("never holds more than its bytes, whatever is put in, grows and is used", () => {
    const sizes = new Map<string, number>();
    const cache = createBoundedCache<string>(100, (key) => sizes.get(key) ?? 0);
    const next = numbersFrom(7);
    for (let round = 0; round < 20_000; round++) {
      const key = String(next(40));
      if (next(3) === 0) {
        sizes.set(key, next(60));
        cache.set(key, key);
      } else {
        cache.get(key);
      }
      // A look into a copy of the keys would use them; the sizes of all that answer are what counts.
    }
    const kept = [...sizes.keys()].filter((key) => cache.get(key) !== undefined);
    const bytes = kept.map((key) => sizes.get(key) ?? 0);
    expect(kept.length).toBeGreaterThan(0);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(100);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(50);
  });

  test("gives what was put in last or nothing, never what stood there before", () => {
    const next = numbersFrom(3);
    for (let run = 0; run < 200; run++) {
      const cache = createBoundedCache<{ size: number }>(100, (_, { size }) => size);
      const last = new Map<string, { size: number } | undefined>();
      for (let step = 0; step < 60; step++) {
        const key = String(next(6));
        const value = next(10) === 0 ? undefined : { size: next(70) };
        if (value === undefined) cache.delete(key);
        else cache.set(key, value);
        last.set(key, value);
        for (const [name, known] of last) expect([undefined, known]).toContain(cache.get(name));
      }
    }
  });

  test("keeps what takes half of the bytes, and lets go of what has grown beyond", () => {
    const cache = createBoundedCache<number>(100, (_, size) => size);
    for (const [size, kept] of [
      [50, 50],
      [51, undefined],
      [49, 49],
      [99, undefined],
    ] as const) {
      cache.set("a", size);
      expect(cache.get("a")).toBe(kept);
    }
  });

  test("keeps what is used, and forgets what has not been used the longest", () => {
    const cache = createBoundedCache<number>(20, () => 1);
    for (let round = 0; round < 100; round++) {
      cache.set(`once ${round}`, round);
      cache.set("always", 1);
      expect(cache.get("always")).toBe(1);
    }
    expect(cache.get("once 0")).toBeUndefined();
    expect(cache.get("once 99")).toBe(99);
  });

  test("keeps what is asked for again and again, however much else is put in", () => {
    const cache = createBoundedCache<number>(20, () => 1);
    cache.set("always", 1);
    for (let round = 0; round < 100; round++) {
      cache.set(`once ${round}`, round);
      expect(cache.get("always")).toBe(1);
    }
  });

  test("counts what is put in anew once, and what was deleted no longer", () => {
    const cache = createBoundedCache<number>(100, (_, size) => size);
    for (const [key, size] of [
      ["b", 20],
      ["a", 30],
      ["a", 30],
      ["c", 50],
    ] as const)
      cache.set(key, size);
    expect(cache.get("b")).toBe(20);

    const other = createBoundedCache<number>(100, (_, size) => size);
    other.set("b", 20);
    other.set("a", 30);
    other.delete("a");
    for (const [key, size] of [
      ["c", 30],
      ["d", 20],
      ["e", 50],
    ] as const)
      other.set(key, size);
    expect([other.get("c"), other.get("d")]).toEqual([undefined, 20]);
  });

  test("of no bytes keeps nothing", () => {
    const cache = createBoundedCache<number>(0, () => 1);
    cache.set("a", 1);
    expect(cache.get("a")).toBeUndefined();
  });
});

test("documents in the cache of a router hold what they are counted for, small ones too", async () => {
  const cacheBytes = 8 * 1024 * 1024;
  const headers = new Headers({ "api-key": fullKey, "accept-encoding": "gzip" });
  const { respond } = openRouter({ cacheBytes });
  const ask = async (at: number): Promise<void> => {
    const query = `page[size]=1&fields[car]=&fields[motorbike]=&include=&page[number]=${at}`;
    await respond({ method: "GET", url: `/v2/vehicles?${query}`, headers });
  };
  for (let at = 1; at < 400; at++) await ask(at);
  const before = held();
  for (let at = 400; at < 40_000; at++) await ask(at);
  expect(held() - before).toBeLessThan(1.2 * cacheBytes);
  expect((await respond({ method: "GET", url: "/v2/vehicles", headers })).status).toBe(200);
});

test("documents that went out over a socket hold on to none of what they were made of", async () => {
  const cacheBytes = 4 * 1024 * 1024;
  const ids = openCatalogue()
    .vehicles()
    .map(({ id }) => id);
  const server = await listening(http.createServer(openRouter({ cacheBytes, preparedBytes: 0 }).node));
  const ask100 = (from: number) => {
    const chosen = Array.from({ length: 100 }, (_, at) => ids[(from * 37 + at * 2) % ids.length]);
    const query = `filter[id]=${chosen}&fields[car]=ac_phases&fields[motorbike]=ac_phases&page[number]=1`;
    return ask(server.origin, `/v2/vehicles?${query}&page[size]=${100 - (from % 10)}`);
  };
  for (let from = 0; from < 50; from++) await ask100(from);
  const before = held();
  for (let from = 50; from < 500; from++) expect((await ask100(from)).status).toBe(200);
  expect(held() - before).toBeLessThan(1.5 * cacheBytes);
  await server.close();
});

test("nothing of long queries is held, however the names of parameters are escaped", async () => {
  const { respond } = openRouter({ cacheBytes: 0 });
  const headers = new Headers({ "api-key": fullKey });
  const ids = "a,".repeat(30_000);
  const askAs = async (at: number): Promise<number> => {
    const name = Array.from("page[number]", (character, place) =>
      at & (1 << place) ? `%${character.charCodeAt(0).toString(16)}` : character,
    ).join("");
    const url = `/v2/vehicles?${name}=1&filter[id]=${ids}${at}`;
    return (await respond({ method: "GET", url, headers })).status;
  };
  for (let at = 0; at < 10; at++) await askAs(at);
  const before = held();
  for (let at = 10; at < 200; at++) expect(await askAs(at)).toBe(200);
  expect(held() - before).toBeLessThan(3 * 1024 * 1024);
});

test("of lists that proxies add to, no more is held than the addresses that count", async () => {
  const limit = createTokenBucket({ perMinute: 1, burst: 1 });
  const { respond } = openRouter({ failedKeys: { limit } });
  const headers = new Headers({ "api-key": "wrong" });
  const begun = "x".repeat(8000);
  const askFrom = async (at: number): Promise<number> => {
    const clientAddress = `${begun}${at}, 111.111.${100 + Math.floor(at / 100)}.${100 + (at % 100)}`;
    return (await respond({ method: "GET", url: "/v2/vehicles", headers, clientAddress })).status;
  };
  for (let at = 0; at < 10; at++) await askFrom(at);
  const before = held();
  for (let at = 10; at < 2000; at++) expect([await askFrom(at), await askFrom(at)]).toEqual([403, 429]);
  expect(held() - before).toBeLessThan(3 * 1024 * 1024);
  expect(await askFrom(10)).toBe(429);
});
