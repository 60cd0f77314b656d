import http from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createVehicleClient, type VehicleClient } from "../../src/client/index.js";
import { type Catalogue, CatalogueError } from "../../src/server/index.js";
import {
  fullKey,
  type Listening,
  listening,
  openCatalogue,
  openRouter,
  restrictedKey,
} from "../server/listening.js";
import { clientOf, collect, errorOf } from "./client-of.js";

const stored = openCatalogue().vehicles();
// Vehicles stand in the order of their brands, and brands are all that have a vehicle.
const storedBrands = [...new Map(stored.map(({ manufacturer }) => [manufacturer.id, manufacturer])).values()];

describe("the client against the server, over a real socket", () => {
  let server: Listening;
  let client: VehicleClient;
  let restricted: VehicleClient;
  beforeAll(async () => {
    server = await listening(http.createServer(openRouter({ prefix: "/api" }).node));
    client = createVehicleClient({ baseUrl: `${server.origin}/api/`, apiKey: fullKey });
    restricted = createVehicleClient({
      baseUrl: new URL(`${server.origin}/api`),
      apiKey: ` ${restrictedKey}\n`,
    });
  });
  afterAll(() => server.close());
  const idsOf = (vehicles: readonly { readonly id: string }[]): string[] => vehicles.map(({ id }) => id);

  test("vehicles() brings the whole catalogue, as it was put in", async () => {
    expect(await collect(client.vehicles())).toEqual(stored);
  });

  test("pages() brings three pages, and says where the end is", async () => {
    const pages = await collect(client.pages());
    expect(
      pages.map(({ number, size, overallCount, hasNext, vehicles }) => [
        number,
        size,
        overallCount,
        hasNext,
        vehicles.length,
      ]),
    ).toEqual([
      [1, 100, 293, true, 100],
      [2, 100, 293, true, 100],
      [3, 100, 293, false, 93],
    ]);
  });

  test("page() brings the page that was asked for, with the document as it came", async () => {
    const page = await client.page({ size: 50, number: 6 });
    expect(page).toMatchObject({ number: 6, size: 50, overallCount: 293, hasNext: false });
    expect(page.vehicles).toEqual(stored.slice(250));
    expect(idsOf(page.document.data)).toEqual(idsOf(page.vehicles));
    expect(page.document.links).toHaveProperty("prev");
    expect(await client.page({ size: 50, number: 7 })).toMatchObject({ vehicles: [], hasNext: false });
  });

  test("brands() brings all brands", async () => {
    const { brands, overallCount } = await client.brands();
    expect(brands).toEqual(storedBrands);
    expect(overallCount).toBe(38);
  });

  test("search() finds by what people type, and its pages end", async () => {
    const { vehicles } = await client.search("VW ID3", { size: 5 });
    expect(vehicles[0]).toMatchObject({ model: "ID.3", manufacturer: { name: "Volkswagen" } });
    const everything = await collect(client.vehicles({ q: "tesla", size: 10 }));
    expect(everything).toHaveLength(25);
    expect(await client.search("!!!")).toMatchObject({ vehicles: [], overallCount: 0, hasNext: false });
  });

  test("byId() finds one vehicle, in any spelling of the id, and nothing for an unknown id", async () => {
    const [vehicle] = stored;
    expect(await client.byId(vehicle!.id)).toEqual(vehicle);
    expect(await client.byId(vehicle!.id.toUpperCase())).toEqual(vehicle);
    for (const id of ["unknown", "", " ", "a,b", `${vehicle!.id},${stored[1]!.id}`]) {
      expect([id, await client.byId(id)]).toEqual([id, undefined]);
    }
  });

  test("filters select by brand, and by both", async () => {
    const brand = storedBrands.find(({ name }) => name === "Volkswagen")!;
    const filter = { manufacturerId: [brand.id] };
    const vehicles = await collect(client.vehicles({ filter, size: 7 }));
    expect(vehicles).toEqual(stored.filter(({ manufacturer }) => manufacturer.id === brand.id));
    const both = { ...filter, id: [stored[0]!.id, vehicles[3]!.id] };
    expect(idsOf((await client.page({ filter: both })).vehicles)).toEqual([vehicles[3]!.id]);
  });

  test("fields reduce each type on its own, and the brand goes with its relationship", async () => {
    const fields = { car: ["model", "variant"], motorbike: ["manufacturer"] } as const;
    const vehicles = await collect(client.vehicles({ fields }));
    expect(vehicles).toEqual(
      stored.map(({ id, type, model, variant, manufacturer }) =>
        type === "car" ? { id, type, model, variant } : { id, type, manufacturer },
      ),
    );
    const bare = await client.page({ fields: { car: [], motorbike: ["id", "type"] } });
    expect(bare.vehicles).toEqual(stored.slice(0, 100).map(({ id, type }) => ({ id, type })));
    const nameless = await client.byId(stored[0]!.id, {
      fields: { car: ["manufacturer"], vehicle_brand: [] },
    });
    expect(nameless).toEqual({
      id: stored[0]!.id,
      type: "car",
      manufacturer: { id: stored[0]!.manufacturer.id },
    });
  });

  test("a key without ReadVehiclesFull gets vehicles without the two withheld attributes", async () => {
    const vehicle = await restricted.byId(stored[0]!.id);
    const { ac_power_per_charging_point, dc_charging_curve, ...others } = stored[0]!;
    expect(vehicle).toEqual(others);
    expect([ac_power_per_charging_point, dc_charging_curve]).not.toContain(undefined);
  });

  test("an error of the server arrives with its code, its parameter and its words", async () => {
    const error = await errorOf(client.search("   "));
    expect(error).toMatchObject({ code: "bad_request", status: 400, attempts: 1, retryable: false });
    expect(error.errors[0]).toMatchObject({ status: "400", code: "BAD_REQUEST", source: { parameter: "q" } });
    expect(error.message).toContain(error.errors[0]!.detail!);
    const tooLarge = await errorOf(client.page({ size: 250 }));
    expect(tooLarge.errors[0]?.meta).toEqual({ page: { maxSize: 100 } });
  });

  test("a wrong key is forbidden, and a wrong place is not found", async () => {
    const stranger = createVehicleClient({ baseUrl: `${server.origin}/api`, apiKey: "stranger" });
    expect(await errorOf(stranger.page())).toMatchObject({
      code: "forbidden",
      status: 403,
      excerpt: undefined,
    });
    const lost = createVehicleClient({ baseUrl: `${server.origin}/api/v2`, apiKey: fullKey });
    expect(await errorOf(lost.brands())).toMatchObject({ code: "not_found", status: 404 });
  });

  test("all 293 ids in one call come back in the caller's order", async () => {
    const ids = idsOf(stored).sort();
    const vehicles = await collect(client.vehicles({ filter: { id: ids } }));
    expect(idsOf(vehicles)).toEqual(ids);
    const page = await client.page({ filter: { id: ids }, size: 100, number: 3 });
    expect(idsOf(page.vehicles)).toEqual(ids.slice(200));
    expect(page).toMatchObject({ overallCount: 293, hasNext: false });
    expect(page.vehicles).toEqual(vehicles.slice(200));
  });

  test("the server's fetch handler can be the client's fetch, without a socket between", async () => {
    const router = openRouter();
    const direct = createVehicleClient({
      baseUrl: "https://catalogue.example",
      apiKey: fullKey,
      fetch: (url, init) => router.fetch(new Request(url, init)),
    });
    expect(await collect(direct.vehicles())).toEqual(stored);
    expect((await errorOf(direct.search(" "))).code).toBe("bad_request");
  });

  test("the cache turns a second reading into 304 answers, with the same result", async () => {
    const statuses: number[] = [];
    const caching = createVehicleClient({
      baseUrl: `${server.origin}/api`,
      apiKey: fullKey,
      cache: true,
      hooks: { response: ({ status }) => void statuses.push(status) },
    });
    const first = await collect(caching.vehicles());
    expect(await collect(caching.vehicles())).toEqual(first);
    expect(statuses).toEqual([200, 200, 200, 304, 304, 304]);
  });
});

describe("a catalogue that is away for a while", () => {
  test("costs the client some waits of the length that the server asks for, and no error", async () => {
    let failures = 2;
    const memory = openCatalogue();
    const catalogue: Catalogue = {
      snapshot() {
        if (failures-- <= 0) return memory.snapshot();
        throw new CatalogueError("unavailable", "the database is away", { retryAfterMs: 7000 });
      },
    };
    const server = await listening(http.createServer(openRouter({ catalogue }).node));
    const { client, retries } = clientOf(server.origin, { apiKey: fullKey });
    expect((await client.page()).vehicles).toHaveLength(100);
    expect(retries.map(({ delayMs, error }) => [delayMs, error.status])).toEqual([
      [7000, 503],
      [7000, 503],
    ]);
    await server.close();
  });

  test("is an error that says when to come again, where that is later than anyone waits", async () => {
    const catalogue: Catalogue = {
      snapshot() {
        throw new CatalogueError("unavailable", "the database is away", { retryAfterMs: 3_600_000 });
      },
    };
    const server = await listening(http.createServer(openRouter({ catalogue }).node));
    const error = await errorOf(clientOf(server.origin, { apiKey: fullKey }).client.page());
    expect(error).toMatchObject({ code: "server_error", status: 503, attempts: 1, retryAfterMs: 3_600_000 });
    await server.close();
  });
});
