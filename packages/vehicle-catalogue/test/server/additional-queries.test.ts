import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import {
  type Catalogue,
  catalogueFromJson,
  createTokenBucket,
  createVehicleRouter,
  type MemoryCatalogue,
  openApiDescription,
  type VehicleExtension,
  type VehicleRouterOptions,
} from "../../src/server/index.js";
import { catalogueTestVehicles } from "../../src/testing/index.js";
import type { Vehicle } from "../../src/vehicle.js";
import { fullKey, keys, openCatalogue, openEvDataFile, openRouter, restrictedKey } from "./listening.js";

const everything = { attributeFilters: true, sort: true, updatedSince: true };
const catalogue = openCatalogue();
const vehicles = catalogue.vehicles();

type Headers_ = Readonly<Record<string, string>>;

function asking(options: Partial<VehicleRouterOptions> = {}) {
  const { respond } = openRouter({ catalogue, additions: everything, ...options });
  return async (query: string, headers: Headers_ = {}, path = "/v2/vehicles") => {
    const given = new Headers({ "api-key": fullKey, ...headers });
    const answer = await respond({ method: "GET", url: `${path}${query}`, headers: given });
    const text = new TextDecoder().decode(answer.body);
    const document = text === "" ? undefined : JSON.parse(text);
    const ids: string[] = (document?.data ?? []).map(({ id }: { id: string }) => id);
    return { ...answer, document, ids };
  };
}

const ids = (list: readonly Vehicle[]): readonly string[] => list.slice(0, 100).map(({ id }) => id);
const consumption = ({ energy_consumption }: Vehicle): number => energy_consumption.average_consumption;

describe("filters on an operator's enumerations", () => {
  const plain = catalogue.vehicles()[0]!;
  const schemas = {
    drive: { type: "string", enum: ["FWD", "RWD", "awd"] },
    segments: { type: "array", items: { type: "string", enum: ["B", "C"] } },
  } as const;
  const operated = catalogueFromJson(
    [
      { ...plain, id: "1", drive: "FWD", segments: ["B", "C"] },
      { ...plain, id: "2", drive: "awd", segments: ["B"] },
    ],
    { extension: { attributes: schemas } },
  );
  const found = async (query: string) => {
    const { status, ids: given } = await asking({ catalogue: operated })(`?${query}`);
    return { status, given };
  };

  test.each(["FWD", "fwd", "Fwd"])("take %s, whatever the letter case of either", async (value) => {
    expect(await found(`filter[drive]=${value}`)).toEqual({ status: 200, given: ["1"] });
  });

  test("take items of lists likewise, and refuse what there is not", async () => {
    expect(await found("filter[drive]=AWD,rwd")).toEqual({ status: 200, given: ["2"] });
    expect(await found("filter[segments]=c")).toEqual({ status: 200, given: ["1"] });
    expect((await found("filter[drive]=XWD")).status).toBe(400);
  });
});

describe("filters on attributes", () => {
  const cases: readonly { query: string; holds: (vehicle: Vehicle) => boolean }[] = [
    { query: "filter[usable_battery_size][gte]=75", holds: (v) => v.usable_battery_size >= 75 },
    { query: "filter[usable_battery_size][gt]=75", holds: (v) => v.usable_battery_size > 75 },
    { query: "filter[usable_battery_size][lt]=7.5", holds: (v) => v.usable_battery_size < 7.5 },
    { query: "filter[usable_battery_size][lte]=-0", holds: () => false },
    {
      query: "filter[usable_battery_size][gte]=40&filter[usable_battery_size][lte]=50",
      holds: (v) => v.usable_battery_size >= 40 && v.usable_battery_size <= 50,
    },
    { query: "filter[ac_phases]=1,2", holds: (v) => v.ac_phases < 3 },
    { query: "filter[ac_phases]=1.0&filter[ac_phases]=02", holds: (v) => v.ac_phases < 3 },
    { query: "filter[ac_phases]=", holds: () => false },
    { query: "filter[ev_type]=PHEV", holds: (v) => v.ev_type === "phev" },
    { query: "filter[type]=motorbike", holds: (v) => v.type === "motorbike" },
    { query: "filter[dc_ports]=chademo,tesla_suc", holds: (v) => /chademo|tesla_suc/.test(`${v.dc_ports}`) },
    { query: "filter[dc_max_power][lt]=50", holds: (v) => v.dc_max_power !== null && v.dc_max_power < 50 },
    { query: "filter[release_year][lt]=3000", holds: (v) => v.release_year !== null },
    { query: "filter[dc_default_charging_curve]=false", holds: (v) => !v.dc_default_charging_curve },
    {
      query: "filter[manufacturer.name]=tesla,BMW",
      holds: (v) => /^(tesla|bmw)$/i.test(v.manufacturer.name),
    },
    {
      query: "filter[energy_consumption.average_consumption][lte]=14&filter[ev_type]=bev",
      holds: (v) => consumption(v) <= 14 && v.ev_type === "bev",
    },
    {
      query: `filter[manufacturer.id]=${vehicles[0]?.manufacturer.id}&filter[ac_phases]=1`,
      holds: (v) => v.manufacturer.id === vehicles[0]?.manufacturer.id && v.ac_phases === 1,
    },
  ];
  for (const { query, holds } of cases) {
    test(query, async () => {
      const expected = vehicles.filter(holds);
      const answer = await asking()(`?${query}`);
      expect([answer.status, answer.ids]).toEqual([200, ids(expected)]);
      expect(answer.document.meta.overall_count).toBe(expected.length);
    });
  }

  const refused = [
    "filter[battery_size][gte]=1",
    "filter[usable_battery_size][ge]=1",
    "filter[usable_battery_size][gte][lte]=1",
    "filter[usable_battery_size][gte]=1e3",
    "filter[usable_battery_size][gte]=",
    "filter[usable_battery_size][gte]=1&filter[usable_battery_size][gte]=2",
    "filter[usable_battery_size]=many",
    "filter[ev_type]=fcev",
    "filter[ev_type][gte]=a",
    "filter[dc_default_charging_curve]=1",
    "filter[dc_charging_curve]=1",
    "filter[ac_power_per_charging_point]=1",
    "filter[__proto__]=1",
    "filter[energy_consumption]=1",
    "filter[updated_since]=yesterday",
    "filter[updated_since]=2026-02-30T00:00:00Z",
    "filter[updated_since]=2026-01-01T00:00:00+02:00",
    "filter[updated_since]=99999-01-01T00:00:00Z",
    "sort=",
    "sort=dc_ports",
    "sort=dc_charging_curve",
    "sort=--model",
    "sort=model,-model",
    "sort=model&sort=variant",
    "sort=constructor",
    "sort=model&q=leaf",
    "q=leaf&filter[ev_type]=bev",
  ];
  for (const query of refused) {
    test(`refuses ${query}, and names the parameter`, async () => {
      const { status, document } = await asking()(`?${query}`);
      expect(status).toBe(400);
      expect(document.errors[0].source.parameter).toBe(query.slice(0, query.indexOf("=")));
    });
  }

  for (const { query, found } of [
    { query: "filter[variant]=7\\,4 kW", found: ["7,4 kW"] },
    { query: "filter[variant]=7,4 kW", found: ["7", "4 kW"] },
    { query: "filter[variant]= a\\\\ ,b\\c", found: ["a\\", "b\\c"] },
    { query: "filter[variant]=\\\\\\,&filter[variant]=\\", found: ["\\,", "\\"] },
    { query: "filter[variant]=,\\,,", found: [","] },
    { query: "filter[variant]=\\e", found: [""] },
    { query: "filter[variant]=7, \\e ,\\\\e", found: ["7", "", "\\e"] },
    { query: "filter[variant]=", found: [] },
  ]) {
    test(`tells commas of texts from commas between them: ${query}`, async () => {
      const variants = ["7,4 kW", "7", "4 kW", "a\\", "b\\c", "\\,", "\\", ",", "", "\\e"];
      const records = catalogueTestVehicles()
        .slice(0, variants.length)
        .map((vehicle, at) => ({ ...vehicle, variant: variants[at] }));
      const { document } = await asking({ catalogue: catalogueFromJson(records) })(`?${query}`);
      const answered = document.data.map(({ attributes }: { attributes: Vehicle }) => attributes.variant);
      expect(answered.toSorted()).toEqual(found.toSorted());
    });
  }

  test("finds what members of attributes are, and offers no others than it finds", async () => {
    const properties = {
      "b.c": { type: "string" },
      "d[gt]": { type: "number" },
      e: { type: "string" },
    } as const;
    const extension = { attributes: { nest: { type: "object", properties } } } as const;
    const records = catalogueTestVehicles().map((vehicle, at) => ({
      ...vehicle,
      nest: { "b.c": "q", "d[gt]": 1, e: at === 1 ? "q" : "r" },
    }));
    const ask = asking({ catalogue: catalogueFromJson(records, { extension }) });
    expect((await ask("?filter[nest.e]=q")).ids).toEqual([records[1]?.id]);
    for (const query of [
      "filter[nest.b.c]=q",
      "sort=nest.b.c",
      "filter[nest.d[gt]]=1",
      "filter[nest.d[gt]][gt]=1",
    ])
      expect([query, (await ask(`?${query}`)).status]).toEqual([query, 400]);
  });

  test("takes what an operator adds: attributes of their own, and open values", async () => {
    const records = catalogueTestVehicles().map((vehicle, at) => ({
      ...vehicle,
      ev_type: "fcev",
      volts: at * 10,
    }));
    const extension = { openValues: true, attributes: { volts: { type: "integer" } } } as const;
    const ask = asking({ catalogue: catalogueFromJson(records, { extension }) });
    const answer = await ask("?filter[volts][lt]=30&filter[ev_type]=FCEV&sort=-volts");
    expect(answer.ids).toEqual([2, 1, 0].map((at) => records[at]?.id));
  });
});

describe("an order of one's choice", () => {
  const by = (...values: ((vehicle: Vehicle) => number | null)[]): readonly Vehicle[] =>
    vehicles.toSorted((a, b) => {
      for (const value of values) {
        const [x, y] = [value(a), value(b)];
        if (x === y) continue;
        if (x === null || y === null) return x === null ? 1 : -1;
        return x - y;
      }
      return 0;
    });
  const cases: readonly { query: string; expected: readonly Vehicle[] }[] = [
    { query: "sort=usable_battery_size", expected: by((v) => v.usable_battery_size) },
    { query: "sort=-usable_battery_size", expected: by((v) => -v.usable_battery_size) },
    { query: "sort=dc_max_power", expected: by((v) => v.dc_max_power) },
    { query: "sort=-dc_max_power", expected: by((v) => (v.dc_max_power === null ? null : -v.dc_max_power)) },
    {
      query: "sort=-ac_phases,energy_consumption.average_consumption",
      expected: by((v) => -v.ac_phases, consumption),
    },
    { query: "sort=dc_default_charging_curve", expected: by((v) => Number(v.dc_default_charging_curve)) },
    { query: "sort=manufacturer.name", expected: vehicles },
    {
      query: "sort=type&filter[release_year][gte]=2020",
      expected: by((v) => Number(v.type === "motorbike")).filter((v) => (v.release_year ?? 0) >= 2020),
    },
  ];
  for (const { query, expected } of cases) {
    test(query, async () => {
      const seen: string[] = [];
      for (let page = 1; page <= 3; page++) {
        seen.push(...(await asking()(`?${query}&page[number]=${page}`)).ids);
      }
      expect(seen).toEqual(expected.map(({ id }) => id));
    });
  }

  test("goes on in the links", async () => {
    const { document } = await asking()("?sort=-usable_battery_size");
    expect(document.links.next).toBe("vehicles?sort=-usable_battery_size&page%5Bnumber%5D=2");
  });
});

describe("updated since", () => {
  const base = catalogueTestVehicles().slice(0, 3);
  const start = Date.UTC(2026, 0, 1);
  function changing(): { clock: { now: number }; catalogue: MemoryCatalogue } {
    const clock = { now: start };
    return { clock, catalogue: catalogueFromJson(base, { now: () => clock.now }) };
  }
  const changed = { ...base[1], usable_battery_size: 1 } as Vehicle;

  test("is told by Last-Modified, and finds what has come or changed since, in either spelling", async () => {
    const { clock, catalogue } = changing();
    const ask = asking({ catalogue });
    const first = await ask("");
    expect(first.headers["Last-Modified"]).toBe("Thu, 01 Jan 2026 00:00:00 GMT");
    clock.now += 3_600_500;
    await catalogue.upsert([changed]);
    const second = await ask("");
    expect(second.headers["Last-Modified"]).toBe("Thu, 01 Jan 2026 01:00:00 GMT");
    for (const since of ["Thu, 01 Jan 2026 01:00:00 GMT", "2026-01-01T01:00:00Z", "2026-01-01T01:00:00.5Z"]) {
      expect((await ask(`?filter[updated_since]=${since}`)).ids).toEqual([changed.id]);
    }
    expect((await ask("?filter[updated_since]=2026-01-01T01:00:01Z")).ids).toEqual([]);
    expect((await ask("?filter[updated_since]=2026-01-01T00:00:00Z")).ids.length).toBe(3);
  });

  test("holds over a replacement: what is the same keeps its time", async () => {
    const { clock, catalogue } = changing();
    clock.now += 60_000;
    await catalogue.replace(base);
    const ask = asking({ catalogue });
    expect((await ask("")).headers["Last-Modified"]).toBe("Thu, 01 Jan 2026 00:00:00 GMT");
    await catalogue.replace([base[0], changed, base[2]]);
    expect((await ask("?filter[updated_since]=2026-01-01T00:01:00Z")).ids).toEqual([changed.id]);
    clock.now += 60_000;
    await catalogue.remove([changed.id]);
    const gone = await ask("?filter[updated_since]=2026-01-01T00:01:00Z");
    expect([gone.ids, gone.headers["Last-Modified"]]).toEqual([[], "Thu, 01 Jan 2026 00:02:00 GMT"]);
  });

  test("does not take an answer about times for one of an earlier time when a version comes back", async () => {
    const { clock, catalogue } = changing();
    const ask = asking({ catalogue });
    const query = "?filter[updated_since]=2026-01-01T00:00:01Z";
    const before = await ask(query);
    expect(before.ids).toEqual([]);
    clock.now += 60_000;
    await catalogue.upsert([changed]);
    await catalogue.upsert([base[1] as Vehicle]);
    const after = await ask(query, { "if-none-match": before.headers.ETag ?? "" });
    expect([after.status, after.ids]).toEqual([200, [changed.id]]);
    const escaped = `?${encodeURIComponent("filter[updated_since]").replace("_", "%5F")}=2026-01-01T00:00:01Z`;
    expect((await ask(escaped)).ids).toEqual([changed.id]);
  });

  test("stands a clock that goes back, and never names a time to come", async () => {
    const { clock, catalogue } = changing();
    clock.now = start - 1e9;
    await catalogue.upsert([changed]);
    expect(catalogue.snapshot().updatedAt).toBe(start + 1);
    clock.now = Date.now() + 1e9;
    await catalogue.upsert([base[1] as Vehicle]);
    const time = (await asking({ catalogue })("")).headers["Last-Modified"] ?? "";
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
  });

  test("needs a catalogue that knows its times", async () => {
    const snapshot = catalogue.snapshot();
    for (const updatedAt of [undefined, Number.NaN, -1, 1e300]) {
      const rubbish: Catalogue = {
        understands: ["updatedSince"],
        snapshot: () => ({ ...snapshot, updatedAt }) as never,
      };
      const ask = asking({ catalogue: rubbish, additions: { updatedSince: true } });
      expect((await ask("")).status).toBe(500);
    }
  });
});

describe("what is beyond the documented API", () => {
  test("is off: parameters are refused, and documents and headers are the documented ones", async () => {
    const ask = asking({ additions: {} });
    for (const query of ["sort=model", "filter[ev_type]=bev", "filter[updated_since]=2026-01-01T00:00:00Z"]) {
      expect((await ask(`?${query}`)).status).toBe(400);
    }
    const { document, headers } = await ask("");
    expect([document.meta, headers["Last-Modified"]]).toEqual([{ overall_count: 293 }, undefined]);
    expect(JSON.stringify(openApiDescription(""))).not.toMatch(/x-addition|"additions"/);
  });

  test.each<[Partial<VehicleRouterOptions>, VehicleExtension, readonly string[] | undefined]>([
    [{}, {}, undefined],
    [{}, { attributes: {} }, undefined],
    [{}, { attributes: { volts: { type: "integer" } } }, ["attributes"]],
    [{}, { attributes: {}, openValues: false }, undefined],
    [{}, { attributes: {}, openValues: true }, ["open_values"]],
    [{ additions: { attributeFilters: false, sort: false, updatedSince: false } }, {}, undefined],
    [{ additions: { attributeFilters: true } }, {}, ["attribute_filters"]],
    [{ additions: { sort: true } }, {}, ["sort"]],
    [{ additions: { updatedSince: true } }, {}, ["updated_since"]],
    [{ maxAgeSeconds: 0 }, {}, undefined],
    [{ maxAgeSeconds: 1 }, {}, ["max_age"]],
    [{ rateLimit: createTokenBucket({ announce: false }) }, {}, undefined],
    [{ rateLimit: createTokenBucket({ announce: true }) }, {}, ["rate_limit_headers"]],
  ])("is told of where it is switched on and nowhere else: %j and %j", async (options, extension, names) => {
    const ask = asking({ catalogue: catalogueFromJson([], { extension }), additions: {}, ...options });
    const { document } = await ask("");
    const { document: described } = await ask("", {}, "/v2/openapi.json");
    expect([
      document.meta.additions,
      described["x-additions"] && Object.keys(described["x-additions"]),
    ]).toEqual([names, names]);
  });

  test("is named in meta and explained and marked in the description", async () => {
    const rateLimit = createTokenBucket({ announce: true });
    const extension = { openValues: true, attributes: { volts: { type: "integer" } } } as const;
    const extended = catalogueFromJson(openEvDataFile(), { extension });
    const ask = asking({ catalogue: extended, rateLimit, maxAgeSeconds: 60 });
    const names = [
      "open_values",
      "attributes",
      "attribute_filters",
      "sort",
      "updated_since",
      "rate_limit_headers",
      "max_age",
    ];
    for (const path of ["/v2/vehicles", "/v2/vehicle_brands"]) {
      const { document, headers } = await ask("", {}, path);
      expect(document.meta.additions).toEqual(names);
      expect(headers["Access-Control-Expose-Headers"]).toContain("Last-Modified");
    }
    const { document: described } = await ask("", {}, "/v2/openapi.json");
    expect(Object.keys(described["x-additions"])).toEqual(names);
    const validator = new Validator();
    expect([(await validator.validate({ ...described })).errors]).toEqual([undefined]);
    const list = described.paths["/v2/vehicles"].get;
    const marked = list.parameters.map((row: Record<string, unknown>) => [row.name, row["x-addition"]]);
    expect(marked).toContainEqual(["sort", "sort"]);
    expect(marked).toContainEqual(["filter[usable_battery_size][gte]", "attribute_filters"]);
    expect(list.responses[200].headers).toMatchObject({
      "Last-Modified": { "x-addition": "updated_since" },
      "RateLimit-Policy": { "x-addition": "rate_limit_headers" },
      RateLimit: { "x-addition": "rate_limit_headers" },
    });
    expect(described.components.responses.TOO_MANY_REQUESTS.headers).toHaveProperty("RateLimit");
    const { properties } = described.components.schemas.Car.properties.attributes;
    expect([properties.volts["x-addition"], properties.model["x-addition"]]).toEqual([
      "attributes",
      undefined,
    ]);
  });

  test("is part of the tag", async () => {
    const tags = await Promise.all(
      [{}, { sort: true }, { attributeFilters: true }].map(
        async (additions) => (await asking({ additions })("")).headers.ETag,
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test("needs a catalogue that understands it", () => {
    const plain: Catalogue = { snapshot: () => catalogue.snapshot() };
    for (const additions of [{ sort: true }, { attributeFilters: true }, { updatedSince: true }]) {
      expect(() => createVehicleRouter({ catalogue: plain, keys, additions })).toThrow(/understands/);
    }
    const extension = { attributes: { updated_since: { type: "string" } } } as const;
    const taken = catalogueFromJson([], { extension });
    expect(() => createVehicleRouter({ catalogue: taken, keys, additions: everything })).toThrow(
      /updated_since/,
    );
  });

  test("tells nothing of withheld attributes to those who do not see them", async () => {
    const ask = asking();
    for (const query of ["sort=dc_charging_curve", "filter[dc_charging_curve]=[]"]) {
      const { status } = await ask(`?${query}`, { "api-key": restrictedKey });
      expect(status).toBe(400);
    }
  });
});

describe("a clock of the catalogue that tells no time", () => {
  const vehicles = catalogueTestVehicles().slice(0, 3);
  const start = Date.UTC(2026, 0, 1);
  const dateOf = (ms: number): string => new Date(ms).toUTCString();

  test.each<[string, Record<string, string>, number]>([
    ["before the last change", { "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT" }, 412],
    ["a second before it", { "if-unmodified-since": dateOf(start - 1000) }, 412],
    ["in its second", { "if-unmodified-since": dateOf(start) }, 200],
    ["after it", { "if-unmodified-since": dateOf(start + 1000) }, 200],
    ["that is no date", { "if-unmodified-since": "yesterday" }, 200],
    ["that is a date of another zone", { "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT+0100" }, 200],
    ["that is no date of HTTP", { "if-unmodified-since": "1970-01-01" }, 200],
    ["beside a tag", { "if-unmodified-since": dateOf(0), "if-match": "*" }, 200],
    ["beside a tag that is known", { "if-unmodified-since": dateOf(0), "if-none-match": "*" }, 412],
  ])("is looked at by If-Unmodified-Since %s", async (_, headers, status) => {
    const catalogue = catalogueFromJson(vehicles, { now: () => start + 400 });
    const ask = asking({ catalogue, additions: { updatedSince: true } });
    // What is kept, and what is not.
    for (let time = 0; time < 2; time++) expect((await ask("", headers)).status).toBe(status);
    const known = (await ask("")).headers.ETag ?? "";
    const both = { ...headers, ...(!("if-match" in headers) && { "if-none-match": known }) };
    expect((await ask("", both)).status).toBe(status === 200 && !("if-match" in headers) ? 304 : status);
    expect((await asking({ catalogue, additions: {} })("", headers)).status).not.toBe(412);
  });

  test.each([Number.NaN, null, -5, 1e300, "x", undefined])("stands still: %s", async (nonsense) => {
    let now: unknown = start;
    const catalogue = catalogueFromJson(vehicles, { now: () => now as number });
    const ask = asking({ catalogue, additions: { updatedSince: true } });
    const [first] = vehicles;
    now = nonsense;
    await catalogue.upsert([{ ...first!, usable_battery_size: 1 }]);
    expect([(await ask("")).status, catalogue.snapshot().updatedAt]).toEqual([200, start + 1]);
    now = start + 5000;
    await catalogue.upsert([{ ...first!, usable_battery_size: 2 }]);
    expect([(await ask("")).status, catalogue.snapshot().updatedAt]).toEqual([200, start + 5000]);
    now = nonsense;
    expect(() => catalogueFromJson(vehicles, { now: () => now as number })).toThrow(/now must give/);
  });
});
