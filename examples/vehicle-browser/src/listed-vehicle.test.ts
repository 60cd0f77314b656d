import { describe, expect, test } from "vitest";
import { figureOf, formatKm, inOrder, type ListedVehicle, mostTelling, rangeKm } from "./listed-vehicle.js";
import type { Order } from "./page-state.js";

const pattern: ListedVehicle = {
  id: "",
  brandId: "b",
  title: "Northwind Borealis",
  variant: "",
  year: 2020,
  batteryKwh: 50,
  consumption: 20,
  dcPower: 100,
  hasMeasuredCurve: false,
};
const vehicles: readonly ListedVehicle[] = [
  { ...pattern, id: "a" },
  { ...pattern, id: "b", batteryKwh: 80, consumption: 25, year: null, hasMeasuredCurve: true },
  { ...pattern, id: "c", batteryKwh: 40, consumption: 10, dcPower: null, year: 2024, hasMeasuredCurve: true },
  { ...pattern, id: "d", consumption: 0, dcPower: 250 },
];

describe("orders", () => {
  const rows: readonly { order: Order; ids: string; figure: string }[] = [
    { order: "name", ids: "abcd", figure: "250 km" },
    { order: "range", ids: "cbad", figure: "250 km" },
    { order: "battery", ids: "badc", figure: "50 kWh" },
    { order: "consumption", ids: "cabd", figure: "20 kWh/100 km" },
    { order: "power", ids: "dabc", figure: "100 kW" },
    { order: "year", ids: "cadb", figure: "2020" },
  ];
  for (const { order, ids, figure } of rows) {
    test(`by ${order}: ${ids}`, () => {
      expect(
        inOrder(vehicles, order)
          .map(({ id }) => id)
          .join(""),
      ).toBe(ids);
      expect(figureOf(pattern, order)).toBe(figure);
    });
  }
});

test("what is not known is said", () => {
  const unknown = { ...pattern, consumption: 0, dcPower: null, year: null };
  expect((["range", "power", "year"] as const).map((order) => figureOf(unknown, order))).toEqual([
    "range unknown",
    "no DC",
    "year unknown",
  ]);
  expect([rangeKm(0, 20), rangeKm(50, 0), formatKm(rangeKm(57.5, 16.2))]).toEqual([
    undefined,
    undefined,
    "355 km",
  ]);
});

test("the first vehicle to show has a measured curve, and charges fastest of those", () => {
  expect(mostTelling(vehicles)?.id).toBe("b");
  expect(mostTelling(vehicles.filter(({ hasMeasuredCurve }) => !hasMeasuredCurve))?.id).toBe("d");
  expect(mostTelling([])).toBeUndefined();
});
