import { expect, test } from "vitest";
import { vehicleAttributeNames } from "../index.js";
import { catalogueTestVehicles } from "../testing/index.js";
import { createPreparation } from "./preparation.js";

const { brand, vehicle } = createPreparation(1024 * 1024, vehicleAttributeNames);
const [car] = catalogueTestVehicles();

test("a brand is kept as it was written until it is called otherwise", () => {
  const kept = brand({ id: "b", name: "Northwind" });
  expect(brand({ id: "b", name: "Northwind" })).toBe(kept);
  expect(brand({ id: "b", name: "Southwind" })).toBe(kept.replace("Northwind", "Southwind"));
  expect(brand({ id: "c", name: "Southwind" })).toContain('"c"');
});

test("a vehicle is kept as it was written until its row has another version", () => {
  const kept = vehicle(car!, "1");
  expect(vehicle(car!, "1")).toBe(kept);
  const { text } = vehicle({ ...car!, model: "Zephyr" }, "2");
  expect([kept.text.includes("Zephyr"), text.includes("Zephyr")]).toEqual([false, true]);
});

test("a vehicle is kept where its text and 700 bytes beside it are no more than a half of what all may take", () => {
  const bytes = vehicle(car!, "1").text.length + 700;
  const isKept = (maxBytes: number): boolean => {
    const tight = createPreparation(maxBytes, vehicleAttributeNames);
    const [first, again] = [1, 2].map(() => tight.vehicle(car!, "1"));
    return first === again;
  };
  expect([isKept(2 * bytes), isKept(2 * bytes - 1), isKept(0)]).toEqual([true, false, false]);
});
