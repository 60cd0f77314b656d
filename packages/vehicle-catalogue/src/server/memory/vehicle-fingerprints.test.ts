import { expect, test } from "vitest";
import { catalogueTestVehicles } from "../../testing/catalogue-test-vehicles.js";
import type { Vehicle } from "../../vehicle.js";
import { withheldAttributes } from "../../vehicle-attributes.js";
import { catalogueFromVehicles } from "../index.js";
import { VehicleFingerprints } from "./vehicle-fingerprints.js";

const [first] = catalogueTestVehicles() as readonly [Vehicle];
const { id: _, type: __, manufacturer: ___, ...attributes } = first;
const names = Object.keys(attributes);

test.each(Object.keys(first))(
  "a vehicle with another %s, and nothing else, has another fingerprint",
  (name) => {
    const [one, other] = [first, { ...first, [name]: "other" }].map((vehicle) =>
      new VehicleFingerprints(names).of(vehicle),
    );
    const isWithheld = withheldAttributes.some((withheld) => withheld === name);
    expect(other?.slice(0, 2)).not.toEqual(one?.slice(0, 2));
    expect(JSON.stringify(other?.slice(2)) === JSON.stringify(one?.slice(2))).toBe(isWithheld);
  },
);

test("a list that was gone through once counts in every vehicle, and its lists are told apart", () => {
  const fingerprints = new VehicleFingerprints(names);
  const ports = { ...first, ac_ports: ["type1"] } satisfies Vehicle;
  const [one, other, again] = [first, ports, { ...first }].map((vehicle) => fingerprints.of(vehicle));
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

test("a vehicle that changes its type alone is another row of another version", async () => {
  const catalogue = catalogueFromVehicles([first]);
  const look = () => {
    const { version, restrictedVersion, find } = catalogue.snapshot();
    const { vehicles, rowVersions } = find({ offset: 0, limit: 1 });
    return { type: vehicles[0]?.type, versions: [version, restrictedVersion, rowVersions?.[0]] };
  };
  const before = look();
  await catalogue.upsert([{ ...first, type: "motorbike" }]);
  const after = look();
  expect(after.type).toBe("motorbike");
  expect(new Set([...before.versions, ...after.versions]).size).toBe(6);
});
