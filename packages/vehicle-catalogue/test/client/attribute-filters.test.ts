import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type AttributeFilter,
  createVehicleClient,
  type VehicleClient,
  VehicleClientError,
  type VehicleSortKey,
} from "../../src/client/index.js";
import type { Vehicle } from "../../src/index.js";
import { catalogueFromVehicles, createVehicleRouter } from "../../src/server/index.js";
import { catalogueTestVehicles } from "../../src/testing/index.js";
import { fullKey, keys, openCatalogue } from "../server/listening.js";

const everything = { attributeFilters: true, sort: true, updatedSince: true };

function clientFor(
  catalogue: ReturnType<typeof openCatalogue>,
  additions = everything,
): { readonly client: VehicleClient; readonly urls: string[] } {
  const router = createVehicleRouter({ catalogue, keys, additions });
  const urls: string[] = [];
  const client = createVehicleClient({
    baseUrl: "http://localhost",
    apiKey: fullKey,
    fetch: (url, init) => {
      urls.push(url);
      return router.fetch(new Request(url, init));
    },
  });
  return { client, urls };
}

const catalogue = openCatalogue();
const vehicles = catalogue.vehicles();
const { client } = clientFor(catalogue);
const ids = (list: readonly { readonly id: string }[]): readonly string[] => list.map(({ id }) => id);

async function found(filter: { readonly attributes: AttributeFilter }): Promise<readonly string[]> {
  const all: { readonly id: string }[] = [];
  for await (const vehicle of client.vehicles({ filter, size: 60 })) all.push(vehicle);
  return ids(all);
}

describe("filters on attributes", () => {
  const cases: readonly { attributes: AttributeFilter; holds: (vehicle: Vehicle) => boolean }[] = [
    {
      attributes: { usable_battery_size: { gte: 40, lt: 50 } },
      holds: ({ usable_battery_size: b }) => b >= 40 && b < 50,
    },
    {
      attributes: { usable_battery_size: { gt: 40.5, lte: 50, gte: undefined } },
      holds: ({ usable_battery_size: b }) => b > 40.5 && b <= 50,
    },
    { attributes: { usable_battery_size: {} }, holds: () => true },
    { attributes: { usable_battery_size: undefined }, holds: () => true },
    { attributes: { usable_battery_size: { gte: 1e-9, gt: -1e-9 } }, holds: () => true },
    { attributes: { usable_battery_size: { lt: 1e21, gt: -1e21 } }, holds: () => true },
    { attributes: { usable_battery_size: { lte: Number.MAX_VALUE } }, holds: () => true },
    { attributes: { ac_phases: [1, 2] }, holds: (v) => v.ac_phases < 3 },
    { attributes: { ac_phases: [] }, holds: () => false },
    {
      attributes: { ev_type: ["phev"], type: ["car"] },
      holds: (v) => v.ev_type === "phev" && v.type === "car",
    },
    { attributes: { variant: [""] }, holds: (v) => v.variant === "" },
    { attributes: { variant: ["", "GT"] }, holds: (v) => v.variant === "" || v.variant === "GT" },
    { attributes: { dc_ports: ["chademo"] }, holds: (v) => v.dc_ports.includes("chademo") },
    { attributes: { dc_default_charging_curve: [false] }, holds: (v) => !v.dc_default_charging_curve },
    {
      attributes: { "manufacturer.name": ["tesla", "BMW"] },
      holds: (v) => /^(tesla|bmw)$/i.test(v.manufacturer.name),
    },
    {
      attributes: { "energy_consumption.average_consumption": { lte: 14 } },
      holds: (v) => v.energy_consumption.average_consumption <= 14,
    },
  ];
  for (const { attributes, holds } of cases) {
    test(JSON.stringify(attributes), async () => {
      expect(await found({ attributes })).toEqual(ids(vehicles.filter(holds)));
    });
  }

  test("go together with brands and lists of ids, whose order stays", async () => {
    const [one] = vehicles;
    const manufacturerId = [one!.manufacturer.id];
    const wanted = vehicles.filter((v) => v.manufacturer.id === manufacturerId[0] && v.ac_phases === 3);
    const filter = { manufacturerId, attributes: { ac_phases: [3] } } as const;
    expect(ids((await client.page({ filter })).vehicles)).toEqual(ids(wanted));
    const reversed = ids(vehicles).toReversed();
    const listed: { readonly id: string }[] = [];
    for await (const vehicle of client.vehicles({
      filter: { id: reversed, attributes: { ac_phases: [3] } },
    })) {
      listed.push(vehicle);
    }
    expect(ids(listed)).toEqual(ids(vehicles.filter((v) => v.ac_phases === 3).toReversed()));
  });

  test("find texts whatever is in them", async () => {
    const [pattern] = catalogueTestVehicles();
    const text = fc.string({ unit: fc.constantFrom(..."aBe,\\ %&+\"'é"), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 3, maxLength: 6 }), async (texts) => {
        const fleet = texts.map((variant, at) => ({ ...pattern!, id: `${at}`, variant }));
        const loaded = catalogueFromVehicles(fleet);
        // White space around a text is not part of it.
        const variants = loaded.vehicles().map(({ variant }) => variant);
        const asked = variants.filter((_, at) => at % 2 === 0);
        const small = new Set(asked.map((variant) => variant.toLowerCase()));
        const page = await clientFor(loaded).client.page({ filter: { attributes: { variant: asked } } });
        expect(ids(page.vehicles)).toEqual(
          ids(loaded.vehicles().filter(({ variant }) => small.has(variant.toLowerCase()))),
        );
      }),
      { seed: 17, numRuns: 200 },
    );
  });
});

test("an order of one's choice goes on over pages", async () => {
  const all: number[] = [];
  for await (const vehicle of client.vehicles({ sort: ["-usable_battery_size", "model"], size: 90 })) {
    if (vehicle.type === "car" || vehicle.type === "motorbike") all.push(vehicle.usable_battery_size);
  }
  expect(all).toEqual(vehicles.map((v) => v.usable_battery_size).toSorted((a, b) => b - a));
  expect(ids((await client.page({ sort: [] })).vehicles)).toEqual(ids(vehicles.slice(0, 100)));
});

describe("what has changed since", () => {
  test("is found by the time of an earlier page, or by any other", async () => {
    const base = catalogueTestVehicles();
    let now = Date.UTC(2026, 0, 1);
    const changing = catalogueFromVehicles(base, { now: () => now });
    const { client: follower } = clientFor(changing);
    const { lastModified } = await follower.page();
    expect(lastModified).toBe("Thu, 01 Jan 2026 00:00:00 GMT");
    expect((await follower.page({ filter: { id: ids(base) } })).lastModified).toBe(lastModified);
    now += 5000;
    await changing.upsert([{ ...base[1]!, usable_battery_size: 1 }]);
    for (const updatedSince of [new Date(now), "Thu, 01 Jan 2026 00:00:01 GMT", "2026-01-01T00:00:05Z"]) {
      expect(ids((await follower.page({ filter: { updatedSince } })).vehicles)).toEqual([base[1]!.id]);
    }
    const { vehicles: since } = await follower.page({ filter: { updatedSince: lastModified } });
    expect(since).toHaveLength(base.length);
    expect(
      (await clientFor(changing, { ...everything, updatedSince: false }).client.page()).lastModified,
    ).toBe(undefined);
  });
});

describe("what cannot be meant", () => {
  // biome-ignore lint/suspicious/noExplicitAny: wrong calls are the matter of these tests
  const untyped: any = client;
  const requests: [request: object, part: RegExp][] = [
    [
      { filter: { attributes: { usable_battery_size: { ge: 1 } } } },
      /filter\[usable_battery_size\] has no "ge"/,
    ],
    [
      { filter: { attributes: { usable_battery_size: { gte: "1" } } } },
      /bounds of filter\[usable_battery_size\]/,
    ],
    [{ filter: { attributes: { usable_battery_size: { gte: Number.NaN } } } }, /bounds/],
    [
      { filter: { attributes: { usable_battery_size: 50 } } },
      /filter\[usable_battery_size\] must be a list, or bounds/,
    ],
    [{ filter: { attributes: { ev_type: "bev" } } }, /filter\[ev_type\] must be a list/],
    [{ filter: { attributes: { ev_type: [null] } } }, /filter\[ev_type\] must be a list of/],
    [{ filter: { attributes: { ac_phases: [Number.POSITIVE_INFINITY] } } }, /filter\[ac_phases\]/],
    [{ filter: { attributes: null } }, /filter.attributes/],
    [{ filter: { attributes: "x" } }, /filter.attributes/],
    [{ filter: { updatedSince: 5 } }, /updatedSince/],
    [{ filter: { updatedSince: null } }, /updatedSince/],
    [{ filter: { updatedSince: new Date(Number.NaN) } }, /updatedSince/],
    [{ sort: "model" }, /sort/],
    [{ sort: ["model"], filter: { id: ["a"] } }, /filter.id/],
    [{ sort: ["model"], q: "leaf" }, /q excludes filter and sort/],
  ];
  for (const [request, part] of requests) {
    test(`is refused at once: ${JSON.stringify(request)}`, () => {
      expect(() => untyped.vehicles(request)).toThrow(TypeError);
      expect(() => untyped.vehicles(request)).toThrow(part);
    });
  }

  test.each([
    [{ filter: { attributes: { battery: [1] } } }, "filter[battery]"],
    [{ filter: { attributes: { ev_type: ["fcev"] } } }, "filter[ev_type]"],
    [{ filter: { attributes: { ev_type: [""] } } }, "filter[ev_type]"],
    [{ filter: { attributes: { ac_phases: [""] } } }, "filter[ac_phases]"],
    [{ filter: { attributes: { dc_charging_curve: [1] } } }, "filter[dc_charging_curve]"],
    [{ filter: { updatedSince: "yesterday" } }, "filter[updated_since]"],
    [{ sort: ["dc_ports"] }, "sort"],
    [{ sort: ["model", "-model"] }, "sort"],
  ])("is refused by the server, which names the parameter: %j", async (request, parameter) => {
    const error: unknown = await untyped.page(request).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(VehicleClientError);
    expect(error).toMatchObject({ code: "bad_request", errors: [{ source: { parameter } }] });
  });

  test("is refused by a server that does not offer it", async () => {
    const { client: plain } = clientFor(catalogue, {
      attributeFilters: false,
      sort: false,
      updatedSince: false,
    });
    for (const request of [
      { sort: ["model"] },
      { filter: { attributes: { ev_type: ["bev"] } } },
      { filter: { updatedSince: new Date() } },
    ] as const) {
      await expect(plain.page(request)).rejects.toMatchObject({ code: "bad_request" });
    }
  });

  test("does not compile", () => {
    const calls = [
      // @ts-expect-error there is no such attribute
      () => client.page({ filter: { attributes: { battery_size: { gte: 1 } } } }),
      // @ts-expect-error there is no such bound
      () => client.page({ filter: { attributes: { usable_battery_size: { ge: 1 } } } }),
      // @ts-expect-error texts have no bounds
      () => client.page({ filter: { attributes: { model: { gte: "a" } } } }),
      // @ts-expect-error a list of numbers
      () => client.page({ filter: { attributes: { usable_battery_size: ["50"] } } }),
      // @ts-expect-error nobody may filter by what some keys do not see
      () => client.page({ filter: { attributes: { dc_charging_curve: [] } } }),
      // @ts-expect-error lists have no order
      () => client.page({ sort: ["dc_ports"] }),
      // @ts-expect-error the best comes first
      () => client.page({ q: "leaf", sort: ["model"] }),
    ];
    expect(calls).toHaveLength(7);
    expectTypeOf<"-dc_max_power">().toExtend<VehicleSortKey>();
    expectTypeOf<"energy_consumption">().not.toExtend<VehicleSortKey>();
    expectTypeOf<AttributeFilter["ac_phases"]>().toExtend<readonly (1 | 2 | 3)[] | object | undefined>();
  });
});
