import { expect, test } from "vitest";
import { parseWeightedList } from "../../src/server/http/weighted-list.js";
import { catalogueFromVehicles, createTokenBucket, type KeyGrant } from "../../src/server/index.js";
import { searchAliases } from "../../src/server/search/search-aliases.js";
import { fullKey, openCatalogue, openRouter } from "./listening.js";

test("the holder that has been quiet the longest is forgotten, not the one that came first", async () => {
  const bucket = createTokenBucket({ perMinute: 1, burst: 1, maxHolders: 2, now: () => 0 });
  const first = [await bucket.take("a"), await bucket.take("b")];
  // Refused, but heard of: now b is the quietest.
  expect(await bucket.take("a")).toBeGreaterThan(0);
  expect([...first, await bucket.take("c")]).toEqual([0, 0, 0]);
  expect(await bucket.take("a")).toBeGreaterThan(0);
});

test.each([
  [60_000, 1],
  [120_000, 1],
  [600_000, 1],
  [50_000, 2],
  [1000, 60],
])(
  "with %d requests per minute a wait is told as %d ms, never shorter than it is",
  async (perMinute, wait) => {
    const bucket = createTokenBucket({ perMinute, burst: 1, now: () => 0 });
    expect([await bucket.take("a"), await bucket.take("a")]).toEqual([0, wait]);
  },
);

test("however short a wait is, nobody is answered before it is over, and whole seconds are told that are enough", async () => {
  let waitMs = 0;
  const limit = { take: () => waitMs };
  const catalogue = catalogueFromVehicles([]);
  const counted = openRouter({ catalogue, rateLimit: limit });
  const guarded = openRouter({ catalogue, failedKeys: { limit, now: () => 0 } });
  for (const [at, [wait, seconds]] of (
    [
      [0.5, "1"],
      [1000, "1"],
      [1000.4, "2"],
    ] as const
  ).entries()) {
    waitMs = wait;
    const told: unknown[] = [];
    for (const [router, key] of [
      [counted, fullKey],
      [guarded, "wrong"],
      [guarded, "another"],
    ] as const) {
      const headers = new Headers({ "api-key": key });
      const request = { method: "GET", url: "/v2/vehicles", headers, clientAddress: `10.0.0.${at}` };
      const answer = await router.respond(request);
      told.push([answer.status, answer.headers["Retry-After"]]);
    }
    expect(told).toEqual(Array(3).fill([429, seconds]));
  }
});

test("of an address that has to wait less than a millisecond no key is looked at until then", async () => {
  let now = 0;
  const waits = [0.5, 0];
  const limit = { take: () => waits.shift() ?? 0 };
  const looked: string[] = [];
  const keys = (key: string): KeyGrant | undefined => {
    looked.push(key);
    return key === fullKey ? { groups: ["ReadVehicles"] } : undefined;
  };
  const catalogue = catalogueFromVehicles([]);
  const { respond } = openRouter({ catalogue, keys, failedKeys: { limit, now: () => now } });
  const statusOf = async (key: string) => {
    const headers = new Headers({ "api-key": key });
    return (await respond({ method: "GET", url: "/v2/vehicles", headers, clientAddress: "10.0.0.1" })).status;
  };
  expect([await statusOf("wrong"), await statusOf(fullKey), looked]).toEqual([429, 429, ["wrong"]]);
  now = 0.5;
  expect(await statusOf(fullKey)).toBe(200);
});

test("a program's own short name wins over the table's", () => {
  expect(searchAliases({ VW: "Tesla" }).get("vw")).toBe("tesla");
  const vehicles = openCatalogue().vehicles();
  const snapshot = catalogueFromVehicles(vehicles, { brandAliases: { vw: "Tesla" } }).snapshot();
  expect(snapshot.search({ text: "vw", offset: 0, limit: 1 }).vehicles[0]?.manufacturer.name).toBe("Tesla");
});

test("an escaped quote does not end a quoted text", () => {
  const [one, two, ...others] = parseWeightedList('a/b;x="\\",c/d", e/f');
  expect([one?.value, one?.parameters.get("x"), two?.value, others]).toEqual(["a/b", '",c/d', "e/f", []]);
});

test("nothing is written to a response that something else has answered", () => {
  const { node } = openRouter();
  const written: string[] = [];
  const note = (name: string) => () => written.push(name);
  const request = { method: "GET", url: "/v2/vehicles", headers: { "api-key": fullKey } };
  const response = (headersSent: boolean) => ({
    headersSent,
    writeHead: note("writeHead"),
    end: note("end"),
    destroy: note("destroy"),
  });
  node(request, response(true));
  expect(written).toEqual([]);
  node(request, response(false));
  expect(written).toEqual(["writeHead", "end"]);
});
