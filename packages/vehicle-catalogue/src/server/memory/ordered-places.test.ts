import fc from "fast-check";
import { expect, test } from "vitest";
import { atOnce } from "../../records/sliced.js";
import { catalogueTestVehicles } from "../../testing/catalogue-test-vehicles.js";
import type { Vehicle } from "../../vehicle.js";
import { compareVehicles } from "../index.js";
import { orderedPlaces } from "./ordered-places.js";

const [some] = catalogueTestVehicles() as readonly [Vehicle];
// Such that the end of a brand may be the beginning of a model, whatever one would put between them.
const betweens = ["", " ", "\u0000", "\n", "/", "|", ":", ",", "-"];
const joined = betweens.flatMap((sign) => [`a${sign}b`, `b${sign}c`]);
const plain = fc.constantFrom("a", "abc", "b", "c", "B", "á");
const name = fc.oneof(plain, fc.constantFrom(...joined));
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

test.each(betweens)(
  "no two models are taken for one, with %j between brand and model or inside of them",
  (sign) => {
    const pairs = [
      ["a", `b${sign}c`],
      [`a${sign}b`, "c"],
      ["a", `b${sign}d`],
    ] as const;
    const list = pairs.map(
      ([brand, model], at): Vehicle => ({
        ...some,
        id: `${9 - at}`,
        manufacturer: { id: brand, name: brand },
        model,
      }),
    );
    const places = atOnce(orderedPlaces(list));
    expect(places.map((place) => list[place])).toEqual(list.toSorted(compareVehicles));
  },
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
