import { describe, expect, test } from "vitest";
import { vehicleRules } from "../../records/vehicle-rules.js";
import { vehicleParametersFor } from "./parameter-table.js";
import { queryParser } from "./parse-query.js";

const attributes = { own: { type: "object", properties: { "a-b": { type: "string" } } } } as const;
const parse = queryParser(
  vehicleParametersFor(vehicleRules({ attributes }), {
    attributeFilters: true,
    sort: true,
    updatedSince: true,
  }),
);

describe("texts that an attribute is compared with are separated by commas, unless these are escaped", () => {
  test.each<[value: string, items: readonly string[]]>([
    ["a,b", ["a", "b"]],
    [" a , ,b,", ["a", "b"]],
    ["a\\,b", ["a,b"]],
    ["a\\\\,b", ["a\\", "b"]],
    ["a\\\\\\,b", ["a\\,b"]],
    ["\\e", [""]],
    ["\\e, ,a\\,", ["", "a,"]],
    ["\\\\e", ["\\e"]],
    ["a\\b", ["a\\b"]],
    ["\\,\\,,\\,", [",,", ","]],
  ])("%j", (value, items) => {
    const { lists, problems } = parse(`filter[model]=${encodeURIComponent(value)}`);
    expect([lists.get("filter[model]"), problems]).toEqual([items, []]);
  });
});

describe("each problem is told once, at the parameter that has it", () => {
  const [since, bound] = ["filter[updated_since]", "filter[usable_battery_size][gt]"];
  test.each<[search: string, parameters: readonly string[]]>([
    ["fields[car]=x&fields[car]=model", ["fields[car]"]],
    ["filter[type]=x&filter[type]=car", ["filter[type]"]],
    ["filter[type]=car&filter[type]=x", ["filter[type]"]],
    ["sort=-model,model", ["sort"]],
    ["sort=model,-model", ["sort"]],
    ["sort=mod-el", ["sort"]],
    ["sort=own.a-b", []],
    ["sort=-own.a-b,model", []],
    ["sort=own.ab", ["sort"]],
    [`${bound}=2026-01-31T12:00:00Z`, [bound]],
    [`${since}=5`, [since]],
    [`${since}=2026-01-31T12:00:00Z&${bound}=5`, []],
  ])("%s", (search, parameters) => {
    expect(parse(search).problems.map(({ parameter }) => parameter)).toEqual(parameters);
  });
});
