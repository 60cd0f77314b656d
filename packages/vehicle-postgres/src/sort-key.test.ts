import { compareVehicles } from "@wye/vehicle-catalogue/server";
import { catalogueTestVehicles } from "@wye/vehicle-catalogue/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sortKeyOf } from "./sort-key.js";

const [pattern] = catalogueTestVehicles();

test("keys in the order of their bytes are vehicles in the order of the catalogue", () => {
  const name = fc.oneof(
    fc.string({ minLength: 1, maxLength: 4 }),
    fc.constantFrom("a", "a\u0001", "a\u0001b", "ab", "Ä", "\uFF21", "\uE000", "𝕏", "😀", "車", "﷽"),
  );
  const vehicle = fc
    .record({
      id: name,
      model: name,
      variant: fc.oneof(fc.constant(""), name),
      release_year: fc.option(fc.integer({ min: 1880, max: 2200 })),
      manufacturer: fc.record({ id: name, name }),
    })
    .filter((one) => !JSON.stringify(one).includes("\\u0000"))
    .map((members) => ({ ...pattern!, ...members }));
  // Strangers differ in the brand, which comes first: what comes after it decides among those who have it in common.
  const common = fc.subarray(["manufacturer", "model", "release_year", "variant"] as const);
  fc.assert(
    fc.property(vehicle, vehicle, common, (a, other, names) => {
      const b = { ...other, ...Object.fromEntries(names.map((one) => [one, a[one]])) };
      const bytes = Buffer.compare(Buffer.from(sortKeyOf(a)), Buffer.from(sortKeyOf(b)));
      expect(Math.sign(bytes)).toBe(Math.sign(compareVehicles(a, b)));
    }),
    { seed: 17, numRuns: 5000 },
  );
});
