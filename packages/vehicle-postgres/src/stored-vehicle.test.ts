import { catalogueTestVehicles } from "@wye/vehicle-catalogue/testing";
import { expect, test } from "vitest";
import { searchTextOf } from "./search-text.js";
import { sortKeyOf } from "./sort-key.js";
import { recordOf, rowOf, type VehicleRow } from "./stored-vehicle.js";

const row = (attributes: object): VehicleRow => ({
  ...{ id: "v1", type: "car", brand_id: "b1", brand_name: "Northwind", attributes },
});
const written = (attributes: object): string => JSON.stringify(recordOf(row(attributes)));

test.each<readonly [curve: unknown, record: unknown]>([
  [[{ power: 5, percentage: 0 }], [{ percentage: 0, power: 5 }]],
  [
    [{ power: 5, percentage: 0, x: 1 }, { power: 6 }],
    [{ percentage: 0, power: 5, x: 1 }, { power: 6 }],
  ],
  [
    [null, "x", 5, [1]],
    [null, "x", 5, [1]],
  ],
  [[], []],
  ["none", "none"],
  [null, null],
])("the points of the curve %j are as the API has them", (curve, record) => {
  expect(written({ dc_charging_curve: curve })).toBe(
    JSON.stringify({
      dc_charging_curve: record,
      ...{ id: "v1", type: "car", manufacturer: { id: "b1", name: "Northwind" } },
    }),
  );
});

test("a row without a curve gets none, and columns go before attributes of their names", () => {
  expect(recordOf(row({ model: "x", id: "other", type: "other", manufacturer: "other" }))).toEqual({
    model: "x",
    ...{ id: "v1", type: "car", manufacturer: { id: "b1", name: "Northwind" } },
  });
});

test("what is written is read as it was", () => {
  for (const vehicle of catalogueTestVehicles()) {
    const { attributes, sort_key, search_text, ...columns } = rowOf(vehicle);
    expect(Object.keys(attributes)).not.toEqual(expect.arrayContaining(["id"]));
    expect(recordOf({ ...columns, attributes, brand_name: vehicle.manufacturer.name })).toEqual(vehicle);
    expect([sort_key, search_text]).toEqual([sortKeyOf(vehicle), searchTextOf(vehicle)]);
  }
});

test("what a search compares are the words of brand, model and variant", () => {
  const [first] = catalogueTestVehicles();
  const vehicle = { ...first!, model: "ID.3 (Nörd)", variant: "SR+, 7,2 kWh" };
  expect(searchTextOf(vehicle)).toBe("zephyr id.3 nord sr+ 7.2 kwh");
});
