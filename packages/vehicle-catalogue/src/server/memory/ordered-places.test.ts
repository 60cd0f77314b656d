import fc from "fast-check";
import { expect, test } from "vitest";
import { atOnce } from "../../records/sliced.js";
import { catalogueTestVehicles } from "../../testing/catalogue-test-vehicles.js";
import type { Vehicle } from "../../vehicle.js";
import { compareVehicles } from "../index.js";
import { orderedPlaces } from "./ordered-places.js";

const [some] = catalogueTestVehicles() as readonly [Vehicle];
// Such that the end of a brand may be the beginning of a model.
const name = fc.constantFrom("a", "ab", "abc", "b", "bc", "c", "B", "á");
const vehicles = fc.array(
  fc.tuple(name, name, fc.option(fc.constantFrom(2020, 2021))).map(
    ([brand, model, release_year]): Vehicle => ({
      ...some,
      manufacturer: { id: brand, name: brand },
      model,
      release_year,
    }),
  ),
  { maxLength: 12 },
);

test("places are those that vehicles have when all of them are compared", () => {
  fc.assert(
    fc.property(vehicles, (given) => {
      const list = given.map((vehicle, at): Vehicle => ({ ...vehicle, id: `${(at * 7) % 12}` }));
      const places = atOnce(orderedPlaces(list));
      expect(places.map((place) => list[place])).toEqual(list.toSorted(compareVehicles));
    }),
    { seed: 27, numRuns: 300 },
  );
});
