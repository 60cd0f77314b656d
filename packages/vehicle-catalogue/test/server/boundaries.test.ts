import { expect, test } from "vitest";
import { parseWeightedList } from "../../src/server/http/weighted-list.js";
import { catalogueFromVehicles, createTokenBucket } from "../../src/server/index.js";
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
