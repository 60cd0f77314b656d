import { describe, expect, test, vi } from "vitest";
import { fullKey, keys, restrictedKey } from "../../../test/server/listening.js";
import { catalogueTestVehicles } from "../../testing/catalogue-test-vehicles.js";
import { type CatalogueSnapshot, catalogueFromVehicles, createVehicleRouter } from "../index.js";
import type { VehicleRouterOptions } from "../vehicle-router.js";

const page = "/v2/vehicles";
const json = "application/json";

function asking(options: Partial<VehicleRouterOptions> = {}) {
  const memory = catalogueFromVehicles(catalogueTestVehicles(), { now: () => 1_500_500 });
  const find = vi.fn<CatalogueSnapshot["find"]>((query, call) => memory.snapshot().find(query, call));
  const error = vi.fn<(line: string) => void>();
  const { respond } = createVehicleRouter({
    catalogue: { ...memory, snapshot: () => ({ ...memory.snapshot(), find }) },
    keys,
    logger: { info: () => {}, warn: () => {}, error },
    ...options,
  });
  const get = async (url: string, headers: Record<string, string> = {}) =>
    respond({ method: "GET", url, headers: new Headers({ "api-key": fullKey, ...headers }) });
  return { memory, find, error, get };
}

describe("a document", () => {
  test("is made once for all who may see it, until something changes", async () => {
    const { memory, find, get } = asking();
    for (const [url, key, made] of [
      [page, fullKey, 1],
      [page, fullKey, 1],
      [page, restrictedKey, 2],
      [page, restrictedKey, 2],
      [`${page}?page[size]=2`, fullKey, 3],
      [page, fullKey, 3],
    ] as const) {
      expect((await get(url, { "api-key": key })).status).toBe(200);
      expect(find).toHaveBeenCalledTimes(made);
    }
    await memory.remove(
      memory
        .vehicles()
        .slice(0, 1)
        .map(({ id }) => id),
    );
    await get(page);
    await get(page);
    expect(find).toHaveBeenCalledTimes(4);
  });

  test("is that of its path, whatever is kept of another one", async () => {
    const { get } = asking();
    const [vehicles, brands] = [await get(page), await get("/v2/vehicle_brands")];
    expect(new TextDecoder().decode(brands.body)).toMatch(/^\{"data":\[\{"type":"vehicle_brand"/);
    expect(brands.headers.ETag).not.toBe(vehicles.headers.ETag);
    expect(brands.body).not.toEqual(vehicles.body);
  });

  test("is made each time where none is kept", async () => {
    const { find, get } = asking({ cacheBytes: 0 });
    for (let times = 0; times < 3; times++) await get(page);
    expect(find).toHaveBeenCalledTimes(3);
  });

  test("that the client has says when the catalogue changed, whether it is kept or not", async () => {
    for (const cacheBytes of [0, 1e6]) {
      const { get } = asking({ cacheBytes, additions: { updatedSince: true } });
      const { headers } = await get(page);
      for (let times = 0; times < 2; times++) {
        const { status, headers: again } = await get(page, { "if-none-match": headers.ETag ?? "" });
        expect([status, again.ETag, again["Last-Modified"]]).toEqual([
          304,
          headers.ETag,
          "Thu, 01 Jan 1970 00:25:00 GMT",
        ]);
      }
    }
  });
});

test("what is wrong with a query is told in the label that was asked for", async () => {
  const { get } = asking({ maxQueryLength: 20 });
  for (const [query, status] of [
    ["x=1", 400],
    ["x".repeat(20), 400],
    ["x".repeat(21), 414],
  ] as const) {
    const { headers, ...answer } = await get(`${page}?${query}`, { accept: json });
    expect([query, answer.status, headers["Content-Type"]]).toEqual([query, status, json]);
  }
});

test("a fault is logged with the path that was asked for", async () => {
  const { find, error, get } = asking({ prefix: "/api" });
  find.mockImplementation(() => {
    throw new Error("broken");
  });
  expect((await get(`/api${page}?page[size]=1`)).status).toBe(500);
  expect(error).toHaveBeenCalledWith(expect.stringContaining(`GET /api${page} failed: Error: broken`));
});

test.each([
  [1, "1"],
  [1000, "1"],
  [1001, "2"],
  [1e9, "86400"],
  [Number.POSITIVE_INFINITY, "86400"],
])("who has to wait for %d ms is told to come again after %s s", async (waitMs, seconds) => {
  const { get } = asking({ rateLimit: { take: () => waitMs } });
  const { status, headers } = await get(page);
  expect([status, headers["Retry-After"]]).toEqual([429, seconds]);
});
