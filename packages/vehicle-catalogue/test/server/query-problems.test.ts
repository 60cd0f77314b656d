import { describe, expect, test } from "vitest";
import { catalogueFromVehicles } from "../../src/server/index.js";
import { catalogueTestVehicles } from "../../src/testing/index.js";
import { vehicleAttributeNames } from "../../src/vehicle-attributes.js";
import { fullKey, openRouter, type TestDocument, type TestError } from "./listening.js";

const catalogue = catalogueFromVehicles(catalogueTestVehicles().slice(0, 2));
const documented = openRouter({ catalogue });
const everything = openRouter({
  catalogue,
  additions: { attributeFilters: true, sort: true, updatedSince: true },
});

/** What an answer says of each parameter that is wrong, in its order. */
async function problemsOf(query: string, { respond } = everything, path = "/v2/vehicles") {
  const answer = await respond({
    method: "GET",
    url: `${path}?${query}`,
    headers: new Headers({ "api-key": fullKey }),
  });
  const { errors = [] }: Partial<TestDocument> = JSON.parse(new TextDecoder().decode(answer.body));
  return errors.map(({ source, detail, meta }: TestError) => [
    source.parameter,
    detail,
    ...(meta === undefined ? [] : [meta]),
  ]);
}

const fields = [...vehicleAttributeNames, "manufacturer", "id", "type"].join(", ");
const maxSize = { page: { maxSize: 100 } };
const moment = "a time in UTC, such as 2026-01-31T12:00:00Z or the Last-Modified of an answer";
const [battery, since] = ["filter[usable_battery_size]", "filter[updated_since]"];
const long = "y".repeat(101);
const clipped = `${"y".repeat(97)}...`;
const sorts = [
  "type, ev_type, model, release_year, variant, usable_battery_size, ac_phases, ac_max_power, dc_max_power",
  "dc_default_charging_curve, energy_consumption.average_consumption, manufacturer.name",
].join(", ");

type Problem = readonly [parameter: string, detail: string, meta?: object];

describe("each wrong value is told of its parameter", () => {
  test.each<[query: string, ...problems: Problem[]]>([
    ["page[size]=0", ["page[size]", "page[size] must be an integer from 1 to 100.", maxSize]],
    ["page[size]=101", ["page[size]", "page[size] must be an integer from 1 to 100.", maxSize]],
    ["page[number]=0", ["page[number]", "page[number] must be an integer from 1."]],
    ["page[number]=1&page[number]=2", ["page[number]", "page[number] must be given once."]],
    [
      "page[size]=0&page[size]=1",
      ["page[size]", "page[size] must be an integer from 1 to 100.", maxSize],
      ["page[size]", "page[size] must be given once."],
    ],
    ["q=", ["q", "q must not be empty."]],
    ["q=+%20", ["q", "q must not be empty."]],
    ["q=a&q=b", ["q", "q must be given once."]],
    [`q=${"a".repeat(201)}`, ["q", "q must have at most 200 characters."]],
    [`q=${"🚗".repeat(201)}`, ["q", "q must have at most 200 characters."]],
    [`q=${"a".repeat(401)}`, ["q", "q must have at most 200 characters."]],
    ["q=a&filter[id]=1", ["q", "q cannot be combined with a filter."]],
    ["filter[manufacturer.id]=1&q=a", ["q", "q cannot be combined with a filter."]],
    [
      "filter[]=1&q=a",
      ["filter[]", expect.stringContaining("family")],
      ["q", expect.stringContaining("a filter")],
    ],
    ["filters=1&q=a", ["filters", expect.stringMatching(/^There is no parameter "filters"\. Known are /)]],
    ["filters[id]=1&q=a", ["filters[id]", expect.stringMatching(/^There is no parameter "filters\[id\]"\./)]],
    [
      "filter=1&q=a",
      [
        "filter",
        `There is no parameter "filter". Known of this family: ${[
          "filter[id], filter[manufacturer.id], filter[type], filter[ev_type], filter[model], filter[release_year]",
          "filter[variant], filter[usable_battery_size], filter[ac_phases], filter[ac_ports], filter[ac_max_power]",
          "filter[dc_ports], filter[dc_max_power], filter[dc_default_charging_curve]",
          "filter[energy_consumption.average_consumption], filter[dc_charge_ports], filter[manufacturer.name]",
          "filter[updated_since].",
        ].join(", ")}`,
      ],
      ["q", "q cannot be combined with a filter."],
    ],
    ["fields[car]=colour", ["fields[car]", `fields[car] has no "colour". Known are ${fields}.`]],
    ["fields[car]=colour.red", ["fields[car]", `fields[car] has no "colour.red". Known are ${fields}.`]],
    [
      "fields[motorbike]=model.name",
      ["fields[motorbike]", 'fields[motorbike] has no "model.name". Fields are named whole: ask for model.'],
    ],
    ["fields[car]=id.x", ["fields[car]", `fields[car] has no "id.x". Known are ${fields}.`]],
    [
      "fields[vehicle_brand]=nam",
      ["fields[vehicle_brand]", 'fields[vehicle_brand] has no "nam". Known are name, id, type.'],
    ],
    ["include=brand", ["include", 'include has no "brand". Known are manufacturer.']],
    [`include=${long}`, ["include", `include has no "${clipped}". Known are manufacturer.`]],
    [`include=${long.slice(1)}`, ["include", `include has no "${long.slice(1)}". Known are manufacturer.`]],
    [`${battery}=many`, [battery, `${battery} must be a decimal number such as 7.5; got "many".`]],
    [`${battery}=1,-,2`, [battery, `${battery} must be a decimal number such as 7.5; got "-".`]],
    [`${battery}=${long}`, [battery, `${battery} must be a decimal number such as 7.5; got "${clipped}".`]],
    [
      "filter[dc_default_charging_curve]=TRUE,yes",
      ...["TRUE", "yes"].map((value): Problem => {
        const name = "filter[dc_default_charging_curve]";
        return [name, `${name} must be true or false; got "${value}".`];
      }),
    ],
    ["filter[ev_type]=fcev", ["filter[ev_type]", 'filter[ev_type] must be one of bev, phev; got "fcev".']],
    [
      `${battery}[gt]=1e3`,
      [`${battery}[gt]`, `${battery}[gt] must be a decimal number such as 7.5; got "1e3".`],
    ],
    [`${battery}[lte]=1&${battery}[lte]=2`, [`${battery}[lte]`, `${battery}[lte] must be given once.`]],
    [`${since}=today`, [since, `${since} must be ${moment}; got "today".`]],
    [`${since}=`, [since, `${since} must be ${moment}; got "".`]],
    [`${since}=2026-01-31T12:00:00Z&${since}=2026-01-31T12:00:00Z`, [since, `${since} must be given once.`]],
    ["sort=", ["sort", "sort must not be empty."]],
    ["sort=,", ["sort", "sort must not be empty."]],
    ["sort=model&sort=variant", ["sort", "sort must be given once."]],
    ["sort=model,-model", ["sort", "sort has model twice."]],
    ["sort=dc_ports", ["sort", `Nothing can be ordered by "dc_ports". Known are ${sorts}.`]],
    ["sort=--model", ["sort", `Nothing can be ordered by "-model". Known are ${sorts}.`]],
    [`sort=-${long}`, ["sort", `Nothing can be ordered by "${clipped}". Known are ${sorts}.`]],
    [
      "q=leaf&sort=x,x",
      ["sort", "sort cannot be combined with q, whose order is the best first."],
      ["sort", `Nothing can be ordered by "x". Known are ${sorts}.`],
      ["sort", `Nothing can be ordered by "x". Known are ${sorts}.`],
    ],
  ])("%s", async (query, ...problems) => {
    expect(await problemsOf(query)).toEqual(problems);
  });
});

describe("what is just inside is no problem", () => {
  test.each([
    "page[size]=1&page[number]=1",
    "page[size]=100",
    `q=${"a".repeat(200)}`,
    `q=${"🚗".repeat(200)}`,
    "fields[car]=id,type,manufacturer&fields[vehicle_brand]=id,type,name",
    "include=&fields[car]=",
    "include=manufacturer,manufacturer",
    "filter[ev_type]=BEV,phev",
    `${battery}=1,2&${battery}=3&${battery}[gt]=-1&${battery}[gte]=0.0&${battery}[lt]=01&${battery}[lte]=1`,
    "sort=-model,variant",
  ])("%s", async (query) => {
    expect(await problemsOf(query)).toEqual([]);
  });

  test.each([
    ["2026-02-28T23:59:59Z", true],
    ["2026-02-28T23:59:59.123456789Z", true],
    ["2026-02-28T23:59:59.1234567890Z", false],
    ["2026-02-28T23:59:59.Z", false],
    ["2026-02-28T23:59Z", false],
    ["2026-02-28T23:59:59", false],
    ["2026-02-29T00:00:00Z", false],
    ["2026-02-28T24:00:00Z", false],
    ["2026-02-28 23:59:59Z", false],
    ["x2026-02-28T23:59:59Z", false],
    ["Sat, 28 Feb 2026 23:59:59 GMT", true],
    ["Sun, 28 Feb 2026 23:59:59 GMT", false],
    ["Sat, 28 Feb 2026 23:59:59 +0000", false],
  ])("a time of %s: %s", async (time, isTime) => {
    const problems = await problemsOf(`${since}=${encodeURIComponent(time)}`);
    expect(problems).toEqual(isTime ? [] : [[since, `${since} must be ${moment}; got "${time}".`]]);
  });

  test.each([
    ["9".repeat(350), true],
    ["9".repeat(351), false],
    ["-0.0", true],
    ["-", false],
    [".5", false],
    ["5.", false],
    ["1 1", false],
    ["+1", false],
    ["1.2.3", false],
  ])("a bound of %s: %s", async (number, isNumber) => {
    const problems = await problemsOf(`${battery}[gt]=${encodeURIComponent(number)}`);
    expect(problems.map(([name]) => name)).toEqual(isNumber ? [] : [`${battery}[gt]`]);
  });
});

describe("a parameter that there is not is told with those that there are", () => {
  const brandParameters = "Known of this family: fields[vehicle_brand].";
  const pages = "Known of this family: page[size], page[number].";
  const filters = "Known of this family: filter[id], filter[manufacturer.id].";
  const all = [
    "filter[id], filter[manufacturer.id], fields[car], fields[motorbike], fields[vehicle_brand], page[size]",
    "page[number], q, include.",
  ].join(", ");
  const bounds = ["gt", "gte", "lt", "lte"].map((bound) => `${battery}[${bound}]`).join(", ");
  test.each([
    ["colour", `Known are ${all}`],
    ["[id]", `Known are ${all}`],
    ["sort", "The order cannot be chosen."],
    ["page[offset]", pages],
    ["page", pages],
    ["filter[name]", filters],
    ["filter[id][gt]", filters],
    ["filter[id][]", "Write one list, separated by commas: filter[id]=a,b."],
    ["page[size][]", "Write one list, separated by commas: page[size]=a,b."],
    ["filter[]", filters],
    ["filter[name][]", filters],
    ["Q", `Known are ${all}`],
    [long, `Known are ${all}`],
  ])("of the documented ones: %s", async (name, words) => {
    const shown = name === long ? clipped : name;
    const problem = [shown, `There is no parameter "${shown}". ${words}`];
    expect(await problemsOf(`${name}=1`, documented)).toEqual([problem]);
  });

  test.each([
    [`${battery}[ge]`, `Known are ${battery} and ${bounds}.`],
    [`${battery}[gt][lt]`, `Known are ${battery} and ${bounds}.`],
  ])("of the others: %s", async (name, words) => {
    expect(await problemsOf(`${name}=1`)).toEqual([[name, `There is no parameter "${name}". ${words}`]]);
  });

  test("of the brands", async () => {
    expect(await problemsOf("fields[car]=model", documented, "/v2/vehicle_brands")).toEqual([
      ["fields[car]", `There is no parameter "fields[car]". ${brandParameters}`],
    ]);
    expect(await problemsOf("q=a", documented, "/v2/vehicle_brands")).toEqual([
      ["q", 'There is no parameter "q". Known are fields[vehicle_brand].'],
    ]);
  });
});

describe("twenty problems are told, wherever they are", () => {
  const several = (count: number, item: (at: number) => string, between: string): string =>
    Array.from({ length: count }, (_, at) => item(at)).join(between);
  test.each([
    ["parameters that there are not", (count: number) => several(count, (at) => `x${at}=1`, "&")],
    ["fields", (count: number) => `fields[car]=${several(count, (at) => `x${at}`, ",")}`],
    ["values", (count: number) => `filter[ev_type]=${several(count, (at) => `x${at}`, ",")}`],
    ["names in an order", (count: number) => `sort=${several(count, (at) => `x${at}`, ",")}`],
    ["a parameter given again", (count: number) => several(count + 1, () => "page[size]=1", "&")],
  ])("%s", async (_, query) => {
    for (const [count, told] of [
      [19, 19],
      [20, 20],
      [21, 20],
    ] as const) {
      expect(await problemsOf(query(count))).toHaveLength(told);
      // What comes behind them is looked at while there is room.
      expect(await problemsOf(`${query(count)}&behind=1`)).toHaveLength(count < 20 ? told + 1 : 20);
    }
  });
});
