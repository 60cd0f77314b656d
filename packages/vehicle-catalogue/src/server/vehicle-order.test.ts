import { describe, expect, test } from "vitest";
import { catalogueTestVehicles } from "../testing/catalogue-test-vehicles.js";
import type { Vehicle } from "../vehicle.js";
import { compareBrands, compareVehicles, orderKey } from "./vehicle-order.js";

const one = catalogueTestVehicles()[0]!;
const brand = one.manufacturer;

describe("what is no vehicle has no place in the order", () => {
  test.each<object | string | null | undefined>([
    { ...one, id: 5 },
    { ...one, model: undefined },
    { ...one, variant: null },
    { ...one, release_year: "2020" },
    { ...one, release_year: undefined },
    { ...one, manufacturer: { id: "x" } },
    { ...one, manufacturer: null },
    { ...one, manufacturer: undefined },
    "x",
    null,
    undefined,
  ])("%j", (given) => {
    const wrong = given as Vehicle;
    const message = (name: string) =>
      `${name} needs a vehicle, with id, model, variant, release_year and the name of its manufacturer; got`;
    expect(() => orderKey(wrong)).toThrow(message("orderKey"));
    expect(() => compareVehicles(wrong, one)).toThrow(message("compareVehicles"));
    expect(() => compareVehicles(one, wrong)).toThrow(message("compareVehicles"));
  });

  test("nor has what is no brand one among brands", () => {
    const message = (shown: string) =>
      new TypeError(`compareBrands needs brands, with texts as id and name; got ${shown}.`);
    for (const [given, shown] of [
      [{ id: "x" }, "an object"],
      [{ name: "x" }, "an object"],
      [undefined, "nothing"],
      ["x", '"x"'],
    ] as const) {
      const wrong: unknown = given;
      expect(() => compareBrands(wrong as typeof brand, brand)).toThrow(message(shown));
      expect(() => compareBrands(brand, wrong as typeof brand)).toThrow(message(shown));
    }
  });
});

test("brands are in the order of their folded names, and those of one name in that of their ids", () => {
  const brands = [
    { id: "2", name: "Äther" },
    { id: "1", name: "ather" },
    { id: "0", name: "Zephyr" },
    { id: "3", name: "aura" },
  ];
  expect(brands.sort(compareBrands).map(({ id }) => id)).toEqual(["1", "2", "3", "0"]);
  expect(compareBrands(brand, { ...brand })).toBe(0);
});

test("a vehicle without a year comes after those of its model that have one, and before other models", () => {
  const [unknown, known] = [null, 2099].map((release_year) => ({ ...one, release_year }));
  const after = { ...one, model: `${one.model} a`, release_year: 1999 };
  expect([after, unknown!, known!].sort(compareVehicles)).toEqual([known, unknown, after]);
  expect(orderKey(unknown!)).toMatchObject({ year: Number.MAX_SAFE_INTEGER, vehicle: unknown });
});
