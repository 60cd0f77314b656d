import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Brand, type Vehicle, vehicleAttributeNames } from "../../index.js";
import { catalogueTestVehicles } from "../../testing/index.js";
import { withheldAttributes } from "../../vehicle-attributes.js";
import { createPreparation } from "../preparation.js";
import { brandsDocument, type VehiclesPage, vehiclesDocument } from "./vehicles-document.js";

const preparation = createPreparation(1024 * 1024, vehicleAttributeNames);
const [given] = catalogueTestVehicles() as readonly [Vehicle];
const northwind: Brand = { id: "n", name: "Northwind" };
const zephyr: Brand = { id: "z", name: "Zephyr" };
const vehicle = (type: Vehicle["type"], manufacturer: Brand): Vehicle => ({
  ...given,
  id: `${type} of ${manufacturer.id}`,
  type,
  manufacturer,
});

function documentOf(vehicles: readonly Vehicle[], others: Partial<VehiclesPage> = {}) {
  const text = vehiclesDocument(
    {
      version: "1",
      selection: { vehicles, overallCount: 9 },
      fieldsets: new Map(),
      seesWithheld: true,
      withBrands: true,
      links: undefined,
      additions: [],
      ...others,
    },
    preparation,
  );
  return JSON.parse(Buffer.from(text, "latin1").toString());
}

describe("brands that are included are those that are linked to, in the order in which they are", () => {
  const [car, bike, other] = [
    vehicle("car", northwind),
    vehicle("motorbike", northwind),
    vehicle("car", zephyr),
  ];
  test.each<[what: string, vehicles: readonly Vehicle[], hidden: readonly string[], ids: readonly string[]]>([
    ["of one that shows it behind one that does not", [car, bike], ["car"], ["n"]],
    ["of one that shows it before one that does not", [bike, car], ["car"], ["n"]],
    ["of one that shows it between two that do not", [car, bike, car], ["car"], ["n"]],
    ["of none that shows it", [car, other], ["car"], []],
    ["of none of two types that show it", [car, bike, other], ["car", "motorbike"], []],
    ["of the one that shows it, not of others", [other, bike], ["car"], ["n"]],
    ["each once, however they take turns", [other, car, other, bike], [], ["z", "n"]],
    ["of one name, but two ids", [car, vehicle("car", { ...northwind, id: "o" })], [], ["n", "o"]],
    ["each once, also where it is told anew", [car, vehicle("car", { ...northwind }), other], [], ["n", "z"]],
  ])("%s", (_, vehicles, hidden, ids) => {
    const fieldsets = new Map(hidden.map((type) => [type, new Set(["model"])]));
    const { data, included } = documentOf(vehicles, { fieldsets });
    expect(included.map(({ id }: Brand) => id)).toEqual(ids);
    const linked = data.flatMap((one: { relationships?: { manufacturer: { data: Brand } } }) =>
      one.relationships === undefined ? [] : one.relationships.manufacturer.data.id,
    );
    expect([...new Set(linked)]).toEqual(ids);
    expect(documentOf(vehicles, { fieldsets, withBrands: false }).included).toEqual([]);
  });

  test.each<[fields: readonly string[] | undefined, attributes: object]>([
    [undefined, { attributes: { name: "Northwind" } }],
    [["name"], { attributes: { name: "Northwind" } }],
    [["id", "type"], {}],
    [[], {}],
  ])("with the fields %j of brands", (fields, attributes) => {
    const fieldsets = new Map(fields === undefined ? [] : [["vehicle_brand", new Set(fields)]]);
    const brand = { type: "vehicle_brand", id: "n", ...attributes };
    expect(documentOf([car], { fieldsets }).included).toEqual([brand]);
    const text = brandsDocument({ brands: [northwind], fieldsets, additions: [] }, preparation);
    expect(JSON.parse(text)).toEqual({ data: [brand], meta: { overall_count: 1 } });
  });
});

test("a vehicle without a version of its own is written anew with each version of the catalogue", () => {
  const named = (model: string) => [{ ...vehicle("car", zephyr), id: "one of many models", model }];
  const modelIn = (model: string, version: string, rowVersions?: readonly string[]) =>
    documentOf(named(model), {
      version,
      selection: { vehicles: named(model), overallCount: 1, ...(rowVersions && { rowVersions }) },
    }).data[0].attributes.model;
  expect(modelIn("Kestrel", "1")).toBe("Kestrel");
  expect(modelIn("Mistral", "2")).toBe("Mistral");
  expect(modelIn("Borealis", "2", ["row 1"])).toBe("Borealis");
  expect(modelIn("Sirocco", "2", ["row 2"])).toBe("Sirocco");
});

test("the count is that of all pages, and links and additions are there where there are any", () => {
  expect(documentOf([])).toEqual({ data: [], included: [], meta: { overall_count: 9 } });
  expect(documentOf([], { links: '{"self":"here"}', additions: ["sort"] })).toEqual({
    data: [],
    included: [],
    meta: { overall_count: 9, additions: ["sort"] },
    links: { self: "here" },
  });
});

test("of each vehicle those attributes are shown that are asked for and that the key sees, and its brand where that is", () => {
  const names: readonly string[] = [...vehicleAttributeNames, "manufacturer"];
  const withheld: readonly string[] = withheldAttributes;
  const all = [vehicle("car", northwind), vehicle("motorbike", zephyr), vehicle("car", zephyr)];
  /** Few names, or all but a few. */
  const some = fc.subarray([...names], { maxLength: 3 });
  const fields = fc.oneof(
    some,
    some.map((left) => names.filter((name) => !left.includes(name))),
  );
  fc.assert(
    fc.property(fc.option(fields), fc.option(fields), fc.boolean(), (cars, motorbikes, seesWithheld) => {
      const fieldsets = new Map(
        Object.entries({ car: cars, motorbike: motorbikes }).flatMap(([type, asked]) =>
          asked === null ? [] : [[type, new Set(asked)] as const],
        ),
      );
      const expected = all.map(({ id, type, manufacturer, ...attributes }) => {
        const isShown = (name: string): boolean => fieldsets.get(type)?.has(name) ?? true;
        const shown = Object.entries(attributes).filter(
          ([name]) => isShown(name) && (seesWithheld || !withheld.includes(name)),
        );
        const brand = { data: { type: "vehicle_brand", id: manufacturer.id } };
        return {
          ...{ id, type },
          ...(shown.length > 0 && { attributes: Object.fromEntries(shown) }),
          ...(isShown("manufacturer") && { relationships: { manufacturer: brand } }),
        };
      });
      expect(documentOf(all, { fieldsets, seesWithheld }).data).toEqual(expected);
    }),
    { seed: 27, numRuns: 200 },
  );
});
