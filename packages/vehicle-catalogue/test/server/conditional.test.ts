import { describe, expect, test } from "vitest";
import {
  type CatalogueSnapshot,
  catalogueFromVehicles,
  createVehicleRouter,
} from "../../src/server/index.js";
import { catalogueTestVehicles } from "../../src/testing/index.js";
import type { Vehicle } from "../../src/vehicle.js";
import { fullKey, openRouter, restrictedKey } from "./listening.js";

const page = "/v2/vehicles";
const memory = catalogueFromVehicles(catalogueTestVehicles());

type Asking = (url?: string, headers?: Record<string, string>) => Promise<Awaited<ReturnType<Respond>>>;
type Respond = ReturnType<typeof openRouter>["respond"];

function asking(respond: Respond): Asking {
  return async (url = page, headers = {}) =>
    respond({ method: "GET", url, headers: new Headers({ "api-key": fullKey, ...headers }) });
}

describe("the tag", () => {
  test("differs where the form of the document does: routers with and without links share none", async () => {
    const [withLinks, without] = [openRouter({ links: true }), openRouter({ links: false })];
    const first = await asking(withLinks.respond)();
    const second = await asking(without.respond)();
    expect(first.headers.ETag).not.toBe(second.headers.ETag);
    const again = await asking(without.respond)(page, { "if-none-match": first.headers.ETag ?? "" });
    expect(again.status).toBe(200);
  });

  test("of a key that does not see all attributes does not depend on those, nor does that of another catalogue", async () => {
    const [first, ...others] = catalogueTestVehicles();
    const answers = async (vehicle: Vehicle) => {
      const { respond } = openRouter({ catalogue: catalogueFromVehicles([vehicle, ...others]) });
      const tagOf = async (key: string) => (await asking(respond)(page, { "api-key": key })).headers.ETag;
      return { restricted: await tagOf(restrictedKey), full: await tagOf(fullKey) };
    };
    const seen = await answers(first!);
    for (const [hidden, vehicle] of [
      [true, { ...first!, ac_power_per_charging_point: { "3.7": 3.6 } }],
      [true, { ...first!, dc_charging_curve: [{ percentage: 0, power: 1 }] }],
      [false, { ...first!, ac_max_power: 1 }],
      [false, { ...first!, manufacturer: { ...first!.manufacturer, name: "Other" } }],
    ] as const) {
      const { restricted, full } = await answers(vehicle);
      expect([restricted === seen.restricted, full === seen.full]).toEqual([hidden, false]);
    }
  });

  test("differs where the search does: other short names of brands are other data", () => {
    const vehicles = catalogueTestVehicles();
    const versions = [{}, { nw: "Northwind" }, { nw: "Zephyr" }].map(
      (brandAliases) => catalogueFromVehicles(vehicles, { brandAliases }).snapshot().version,
    );
    expect(new Set(versions).size).toBe(3);
  });
});

describe("a document that the client has", () => {
  const counting = () => {
    const asked: string[] = [];
    const noted = <Value>(name: string, value: Value): Value => {
      asked.push(name);
      return value;
    };
    const snapshot = (): CatalogueSnapshot => {
      const { version, find, search, brands } = memory.snapshot();
      return {
        version,
        find: (query) => noted("find", find(query)),
        search: (query) => noted("search", search(query)),
        brands: () => noted("brands", brands()),
      };
    };
    const keys = [{ key: fullKey, groups: ["ReadVehicles" as const] }];
    return {
      asked,
      ask: asking(createVehicleRouter({ catalogue: { snapshot }, keys, cacheBytes: 0 }).respond),
    };
  };

  for (const target of [
    page,
    `${page}?q=borealis`,
    `${page}?page[size]=1&fields[car]=`,
    "/v2/vehicle_brands",
  ]) {
    for (const coding of ["identity", "br", "gzip", "*"]) {
      test(`is not made for a 304: ${target}, ${coding}`, async () => {
        const { asked, ask } = counting();
        const full = await ask(target, { "accept-encoding": coding });
        expect([full.status, asked.length]).toEqual([200, 1]);
        const tag = full.headers.ETag ?? "";
        const again = await ask(target, { "accept-encoding": coding, "if-none-match": `"x", W/${tag}` });
        expect([again.status, again.headers.ETag, again.body.length]).toEqual([304, tag, 0]);
        // A small document is not compressed, which is known only when it is made.
        const small = coding !== "identity" && !/-(br|gzip)"$/.test(tag);
        expect(asked).toHaveLength(small ? 2 : 1);
      });
    }
  }

  test("is refused all the same when the query is wrong", async () => {
    const { ask } = counting();
    expect((await ask(`${page}?x=1`, { "if-none-match": "*" })).status).toBe(400);
  });
});

describe("If-Match", () => {
  const rows = [
    { value: (tag: string) => tag, status: 200 },
    { value: (tag: string) => `"a", ${tag} , "b"`, status: 200 },
    { value: () => "*", status: 200 },
    { value: (tag: string) => `W/${tag}`, status: 412 },
    { value: () => '"other"', status: 412 },
    { value: (tag: string) => tag.slice(1, -1), status: 412 },
    { value: () => "", status: 412 },
  ];
  for (const { value, status } of rows) {
    test(`${value('"tag"')} is ${status}, kept or not`, async () => {
      for (const cacheBytes of [0, 1_000_000]) {
        const ask = asking(openRouter({ cacheBytes }).respond);
        const tag = (await ask()).headers.ETag ?? "";
        const answer = await ask(page, { "if-match": value(tag) });
        expect(answer.status).toBe(status);
        // It is looked at before If-None-Match.
        const both = await ask(page, { "if-match": value(tag), "if-none-match": tag });
        expect(both.status).toBe(status === 200 ? 304 : 412);
      }
    });
  }

  test("that fails has an error document that blames it", async () => {
    const { body } = await asking(openRouter().respond)(page, { "if-match": '"other"' });
    const { errors } = JSON.parse(new TextDecoder().decode(body));
    expect(errors).toMatchObject([
      { status: "412", code: "PRECONDITION_FAILED", source: { header: "If-Match" } },
    ]);
  });
});
