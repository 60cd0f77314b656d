import { describe, expect, test } from "vitest";
import { vehicleRules } from "../../records/vehicle-rules.js";
import { vehicleParametersFor } from "./parameter-table.js";
import { queryParser } from "./parse-query.js";
import { comparisonsOf, fieldsets, vehiclesRequest } from "./vehicles-request.js";

const table = vehicleParametersFor(vehicleRules(), {
  attributeFilters: true,
  sort: true,
  updatedSince: true,
});
const parse = queryParser(table);
const requestOf = (search: string) => vehiclesRequest(parse(search), comparisonsOf(table));
const largest = Number.MAX_SAFE_INTEGER;

describe("what is asked for of vehicles", () => {
  const page = { offset: 0, limit: 100 };
  const battery = { attribute: "usable_battery_size" };
  test.each<[search: string, selection: object]>([
    ["", page],
    ["page[number]=3", { offset: 200, limit: 100 }],
    ["page[size]=7&page[number]=2", { offset: 7, limit: 7 }],
    [`page[size]=100&page[number]=${largest}`, { offset: largest - 100, limit: 100 }],
    ["filter[id]=", { ...page, ids: [] }],
    ["filter[id]=b, A&filter[id]=c", { ...page, ids: ["b", "A", "c"] }],
    // Only texts that an attribute is compared with have escapes.
    ["filter[id]=a\\,b\\e", { ...page, ids: ["a\\", "b\\e"] }],
    ["filter[manufacturer.id]=m", { ...page, manufacturerIds: ["m"] }],
    [
      "sort=-model,type",
      {
        ...page,
        order: [
          { attribute: "model", isDescending: true },
          { attribute: "type", isDescending: false },
        ],
      },
    ],
    ["filter[updated_since]=1970-01-01T00:00:00Z", { ...page, updatedSince: 0 }],
    ["filter[type]=", { ...page, conditions: [{ attribute: "type", is: "in", values: [] }] }],
    [
      "filter[ac_phases]=0,3",
      { ...page, conditions: [{ attribute: "ac_phases", is: "in", values: [0, 3] }] },
    ],
    [
      "filter[usable_battery_size][lte]=4&filter[usable_battery_size][gt]=0&filter[usable_battery_size]=2&filter[model]=A\\,B",
      {
        ...page,
        conditions: [
          { attribute: "model", is: "in", values: ["a,b"] },
          { ...battery, is: "in", values: [2] },
          { ...battery, is: "gt", bound: 0 },
          { ...battery, is: "lte", bound: 4 },
        ],
      },
    ],
  ])("%s", (search, selection) => {
    const query = parse(search);
    expect(query.problems).toEqual([]);
    expect(requestOf(search).selection).toEqual(selection);
  });

  test.each([
    ["", undefined, true],
    ["q=+ä&include=", " ä", false],
    ["include=manufacturer", undefined, true],
  ])("%j: the text is %j, and brands are included: %s", (search, text, withBrands) => {
    expect(requestOf(search)).toMatchObject({ pageSize: 100, pageNumber: 1, text, withBrands });
  });
});

test("fields are those of a type, and of none that is not named", () => {
  const search = "fields[car]=model&fields[car]=type,variant&fields[vehicle_brand]=";
  expect([...fieldsets(parse(search))]).toEqual([
    ["car", new Set(["model", "type", "variant"])],
    ["vehicle_brand", new Set()],
  ]);
  expect([...fieldsets(parse("fields[motorbike]=model"))]).toEqual([["motorbike", new Set(["model"])]]);
  expect(fieldsets(parse("")).size).toBe(0);
});
