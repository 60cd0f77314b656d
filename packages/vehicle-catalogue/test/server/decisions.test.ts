import http from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Answer,
  type Asking,
  ask as askAt,
  type Listening,
  listening,
  openCatalogue,
  openRouter,
  restrictedKey,
} from "./listening.js";

/** What the specification leaves open and this server has decided; the numbers are those of the decisions. */
describe("decisions", () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listening(http.createServer({ maxHeaderSize: 65_536 }, openRouter().node));
  });
  afterAll(() => server.close());
  const ask = (target: string, asking?: Asking): Promise<Answer> => askAt(server.origin, target, asking);
  const ids = async (query: string): Promise<string[]> =>
    (await ask(`/v2/vehicles${query}`)).json.data.map(({ id }) => id);
  const vehicles = openCatalogue().vehicles();

  test("1: a page beyond the last is 200, empty, with the true count", async () => {
    const { status, json } = await ask("/v2/vehicles?page[number]=9");
    expect(status).toBe(200);
    expect(json).toMatchObject({ data: [], included: [], meta: { overall_count: 293 } });
  });

  test("2: a page size above 100 is 400 and names the maximum", async () => {
    const { status, json } = await ask("/v2/vehicles?page[size]=101");
    expect(status).toBe(400);
    expect(json.errors).toEqual([
      {
        status: "400",
        code: "BAD_REQUEST",
        title: "invalid query parameter",
        detail: "page[size] must be an integer from 1 to 100.",
        source: { parameter: "page[size]" },
        meta: { page: { maxSize: 100 } },
      },
    ]);
  });

  const spellings = [
    "0",
    "-1",
    "1.5",
    "+1",
    "%2B1",
    "1e1",
    "%201",
    "1%20",
    "٣",
    "01",
    "",
    "abc",
    "0x10",
    "NaN",
    "Infinity",
  ];
  for (const spelling of spellings) {
    test(`3: page[size]=${spelling} and page[number]=${spelling} are 400`, async () => {
      for (const name of ["page[size]", "page[number]"]) {
        const { status, json } = await ask(
          `/v2/vehicles?${name}=${encodeURI(decodeURIComponent(spelling)).replace("+", "%2B")}`,
        );
        expect([status, json.errors[0]!.source.parameter]).toEqual([400, name]);
        expect(json.errors[0]!.detail).toContain("from 1");
      }
    });
  }

  test("4: a page number too large for exact arithmetic is beyond the last page", async () => {
    for (const number of ["9007199254740993", "99999999999999999999", "9".repeat(400)]) {
      const { status, json } = await ask(`/v2/vehicles?page[number]=${number}`);
      expect([status, json.data.length, json.meta.overall_count]).toEqual([200, 0, 293]);
    }
    expect((await ask(`/v2/vehicles?page[size]=${"9".repeat(400)}`)).status).toBe(400);
  });

  test("6: vehicles come by brand, model, year with unknown last, variant, id", async () => {
    const fetched = [
      ...(await ids("")),
      ...(await ids("?page[number]=2")),
      ...(await ids("?page[number]=3")),
    ];
    const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const keys = vehicles.map(({ manufacturer, model, release_year, variant, id }) => ({
      id,
      key: [fold(manufacturer.name), fold(model), String(release_year ?? 9999), fold(variant), id].join(
        "\u0000",
      ),
    }));
    const expected = keys.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ id }) => id);
    expect(fetched).toEqual(expected);
  });

  test("7: filters keep the order of the catalogue, not that of the ids", async () => {
    const some = [vehicles[200]!.id, vehicles[3]!.id, vehicles[77]!.id];
    expect(await ids(`?filter[id]=${some}`)).toEqual([some[1], some[2], some[0]]);
  });

  test("8: links can be switched off", async () => {
    const respond = openRouter({ links: false }).respond;
    const headers = new Headers({ "api-key": restrictedKey });
    const { body } = await respond({ method: "GET", url: "/v2/vehicles?page[size]=1", headers });
    expect(Object.keys(JSON.parse(new TextDecoder().decode(body)))).toEqual(["data", "included", "meta"]);
  });

  test("9: overall_count of a search is what can be fetched", async () => {
    const { json } = await ask("/v2/vehicles?q=tesla");
    expect([json.data.length, json.meta.overall_count]).toEqual([25, 25]);
    expect((await ask("/v2/vehicles?q=tesla&page[number]=2&page[size]=20")).json.data).toHaveLength(5);
    expect((await ask("/v2/vehicles?q=tesla&page[number]=3&page[size]=20")).json.data).toHaveLength(0);
  });

  test("10: unknown ids, ids of brands and texts that are no UUID select nothing", async () => {
    const brand = vehicles[0]!.manufacturer.id;
    const { status, json } = await ask(
      `/v2/vehicles?filter[id]=${brand},nonsense,__proto__,${vehicles[5]!.id}`,
    );
    expect([status, json.meta.overall_count, json.data[0]!.id]).toEqual([200, 1, vehicles[5]!.id]);
    expect(
      (await ask(`/v2/vehicles?filter[manufacturer.id]=${vehicles[0]!.id}`)).json.meta.overall_count,
    ).toBe(0);
  });

  test("11: ids are compared without regard to case and answered as they are stored", async () => {
    const { id, manufacturer } = vehicles[10]!;
    expect(await ids(`?filter[id]=${id.toUpperCase()}`)).toEqual([id]);
    const { json } = await ask(`/v2/vehicles?filter[manufacturer.id]=${manufacturer.id.toUpperCase()}`);
    expect(json.included[0]!.id).toBe(manufacturer.id);
  });

  test("12: both filters have to hold", async () => {
    const { id, manufacturer } = vehicles[10]!;
    const other = vehicles.find((vehicle) => vehicle.manufacturer.id !== manufacturer.id)!;
    expect(await ids(`?filter[id]=${id},${other.id}&filter[manufacturer.id]=${manufacturer.id}`)).toEqual([
      id,
    ]);
    expect(await ids(`?filter[id]=${id}&filter[manufacturer.id]=${other.manufacturer.id}`)).toEqual([]);
  });

  test("13, 14, 40: lists are sets; blanks and empty items do not count; repeated lists are united", async () => {
    const [a, b] = [vehicles[0]!.id, vehicles[1]!.id];
    expect(await ids(`?filter[id]=${a},%20${a}%20,,${b},`)).toEqual([a, b]);
    expect(await ids(`?filter[id]=${a}&filter[id]=${b}`)).toEqual([a, b]);
  });

  test("15: an empty list is the empty set", async () => {
    for (const filter of [
      "filter[id]=",
      "filter[id]",
      "filter[manufacturer.id]=",
      "filter[id]=,,",
      "filter[id]=%20",
    ]) {
      expect(await ids(`?${filter}`)).toEqual([]);
    }
  });

  test("17, 18: all 293 ids escaped in one URL are answered, in pages", async () => {
    const list = vehicles.map(({ id }) => id).join("%2C");
    const { status, json } = await ask(`/v2/vehicles?filter%5Bid%5D=${list}`);
    expect([status, json.data.length, json.meta.overall_count]).toEqual([200, 100, 293]);
  });

  test("18: a query beyond the limit is 414", async () => {
    const { respond } = openRouter({ maxQueryLength: 50 });
    const headers = new Headers({ "api-key": restrictedKey });
    const { status, body } = await respond({
      method: "GET",
      url: `/v2/vehicles?q=${"x".repeat(60)}`,
      headers,
    });
    expect(status).toBe(414);
    expect(JSON.parse(new TextDecoder().decode(body)).errors[0].code).toBe("URI_TOO_LONG");
  });

  const texts = [
    { query: "q=id3&filter[id]=1", rows: "19" },
    { query: "q=id3&filter[id]=", rows: "19" },
    { query: "filter[manufacturer.id]&q=id3", rows: "19" },
    { query: "q=", rows: "22" },
    { query: "q=%20%20", rows: "22" },
    { query: "q", rows: "22" },
    { query: `q=${"a".repeat(201)}`, rows: "24" },
    { query: "q=a&q=b", rows: "40" },
  ];
  for (const { query, rows } of texts) {
    test(`${rows}: ${query.slice(0, 40)} is 400 and blames q`, async () => {
      const { status, json } = await ask(`/v2/vehicles?${query}`);
      expect([status, json.errors.map(({ source }) => source.parameter)]).toEqual([400, ["q"]]);
    });
  }

  test("20, 21: q goes with fields and pages", async () => {
    const { json } = await ask("/v2/vehicles?q=vw%20id3&page[size]=2&page[number]=1&fields[car]=model");
    expect(json.data.map(({ attributes }) => attributes)).toEqual([{ model: "ID.3" }, { model: "ID.3" }]);
  });

  test("23: q without a letter or digit finds nothing; 24: 200 characters are allowed", async () => {
    for (const q of ["!!!", "%F0%9F%98%80", "...", "a".repeat(200), "%F0%9F%98%80".repeat(200)]) {
      const { status, json } = await ask(`/v2/vehicles?q=${q}`);
      expect([status, json.data]).toEqual([200, []]);
    }
  });

  test("30, 34: unknown and dotted fields are 400 and say what to ask for", async () => {
    const { json } = await ask(
      "/v2/vehicles?fields[car]=energy_consumption.average_consumption,manufacturer.name,foo",
    );
    expect(json.errors.map(({ detail }) => detail)).toEqual([
      expect.stringContaining("ask for energy_consumption."),
      expect.stringContaining("ask for manufacturer."),
      expect.stringMatching(/has no "foo".*ev_type, model/),
    ]);
  });

  test("38, 49: an attribute that the key may not see is absent, also when it is named", async () => {
    const withheld = ["ac_power_per_charging_point", "dc_charging_curve"];
    for (const query of ["", `?fields[car]=model,${withheld}&fields[motorbike]=${withheld}`]) {
      const { status, json } = await ask(`/v2/vehicles${query}`, { key: restrictedKey });
      expect(status).toBe(200);
      const names = new Set(json.data.flatMap(({ attributes = {} }) => Object.keys(attributes)));
      expect(withheld.filter((name) => names.has(name))).toEqual([]);
      expect(names.has("model")).toBe(true);
    }
    expect((await ask("/v2/vehicles", { key: restrictedKey })).json.data[0]!.attributes).toHaveProperty(
      "dc_default_charging_curve",
    );
  });

  test("40: scalars are given once", async () => {
    const { json } = await ask("/v2/vehicles?page[size]=2&page[size]=2&page[number]=1&page[number]=2");
    expect(json.errors.map(({ source }) => source.parameter)).toEqual(["page[size]", "page[number]"]);
  });

  test("41: array brackets are answered with what to write", async () => {
    const { json } = await ask("/v2/vehicles?fields[car][]=model");
    expect(json.errors[0]!.detail).toContain("fields[car]=a,b");
  });

  test("45: the brands take no parameter but their fields", async () => {
    const all = await ask("/v2/vehicle_brands");
    expect(all.json.data).toHaveLength(38);
    expect(all.json.meta).toEqual({ overall_count: 38 });
    expect(Object.keys(all.json)).toEqual(["data", "meta"]);
    const names = all.json.data.map(({ attributes }) => String(attributes.name));
    expect(names).toEqual([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
    expect((await ask("/v2/vehicle_brands?fields[vehicle_brand]=name")).json).toEqual(all.json);
    const bare = await ask("/v2/vehicle_brands?fields[vehicle_brand]=");
    expect(Object.keys(bare.json.data[0]!)).toEqual(["type", "id"]);
    for (const parameter of ["page[size]=5", "q=a", "filter[id]=1", "include=x"]) {
      expect((await ask(`/v2/vehicle_brands?${parameter}`)).status).toBe(400);
    }
  });

  test("46, 47, 48: every attribute is there, and null only where it may be", async () => {
    const nulls = new Set<string>();
    for (const page of [1, 2, 3]) {
      for (const { attributes } of (await ask(`/v2/vehicles?page[number]=${page}`)).json.data) {
        expect(Object.keys(attributes)).toHaveLength(15);
        for (const [name, value] of Object.entries(attributes)) if (value === null) nulls.add(name);
      }
    }
    expect([...nulls].sort()).toEqual(["dc_max_power", "release_year"]);
    const without = vehicles.find((vehicle) => vehicle.dc_max_power === null)!;
    const { json } = await ask(`/v2/vehicles?filter[id]=${without.id}`);
    expect(json.data[0]!.attributes).toMatchObject({
      dc_ports: [],
      dc_charge_ports: [],
      dc_max_power: null,
      dc_charging_curve: [],
      dc_default_charging_curve: false,
    });
  });

  test("52: path, method, key, media types, parameters are checked in this order", async () => {
    const bad = { "content-type": "application/vnd.api+json;a=b", accept: "text/html" };
    const statuses = [
      await ask("/v2/unknown?x=1", { method: "POST", key: null, headers: bad }),
      await ask("/v2/vehicles?x=1", { method: "POST", key: null, headers: bad }),
      await ask("/v2/vehicles?x=1", { key: null, headers: bad }),
      await ask("/v2/vehicles?x=1", { headers: bad }),
      await ask("/v2/vehicles?x=1", { headers: { accept: "text/html" } }),
      await ask("/v2/vehicles?x=1"),
      await ask("/v2/vehicles"),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 405, 403, 415, 406, 400, 200]);
  });

  test("problems are counted and clipped: no answer grows with the nonsense of the request", async () => {
    const many = Array.from({ length: 500 }, (_, at) => `unknown${at}${"x".repeat(20)}=1`).join("&");
    const { json, body } = await ask(`/v2/vehicles?${many}&${"y".repeat(5000)}=1`);
    expect(json.errors).toHaveLength(20);
    expect(body.length).toBeLessThan(20_000);
  });
});
