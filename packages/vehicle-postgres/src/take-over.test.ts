import { CatalogueError, catalogueFromVehicles } from "@wye/vehicle-catalogue/server";
import { describe, expect, test } from "vitest";
import { fleet } from "../test/fleet.js";
import { notingClient } from "../test/noting-client.js";
import { rowOf } from "./stored-vehicle.js";
import { takeOver } from "./take-over.js";

type Vehicles = ReturnType<typeof fleet>;

/** A copy of a database that has these vehicles. */
function copying(vehicles: Vehicles) {
  const memory = catalogueFromVehicles([]);
  const clock = { now: 0 };
  const place = { schema: "cars", timeoutMs: 1000 };
  const { client } = notingClient((text) => {
    if (text.startsWith("select number, token"))
      return [{ number: "4", token: "four", view: "9:9:", askedAt: 7, follows: true }];
    if (text.startsWith("select count")) return [{ count: `${vehicles.length}` }];
    if (!text.startsWith("fetch")) return [];
    return vehicles.map((one) => ({ ...rowOf(one), brand_name: one.manufacturer.name }));
  });
  return { copy: { memory, clock, place, extension: undefined }, client };
}

describe("a version that is taken over", () => {
  test.each<readonly [what: string, vehicles: Vehicles, isWhole: boolean, hasTwins: boolean]>([
    ["none", [], true, false],
    ["all right", fleet(3), true, false],
    ["one wrong", fleet(3).map((one, at) => (at === 1 ? { ...one, ac_phases: 7 as 3 } : one)), false, false],
    ["twins", fleet(2).map((one, at) => ({ ...one, id: at === 0 ? "v" : "V" })), false, true],
  ])("says whether the copy has all of its rows: %s", async (_, vehicles, isWhole, hasTwins) => {
    const { copy, client } = copying(vehicles);
    const { version, outcome } = await takeOver(copy, client, undefined, 0.5);
    expect(version).toEqual({ number: 4n, token: "four", view: "9:9:", askedAt: 7, isWhole, hasTwins });
    expect([outcome instanceof CatalogueError, copy.clock.now]).toEqual([false, 7]);
  });

  test("is refused with an error of catalogues, and any other error is no refusal", async () => {
    const { copy, client } = copying(fleet(3));
    for (const [failure, isRefusal] of [
      [new CatalogueError("shrunk", "too few"), true],
      [new RangeError("out of memory"), false],
    ] as const) {
      const memory = { ...copy.memory, replace: () => Promise.reject(failure) };
      const outcome = await takeOver({ ...copy, memory }, client, undefined, 0.5).catch((error: unknown) => ({
        thrown: error,
      }));
      expect(outcome).toMatchObject(isRefusal ? { outcome: failure } : { thrown: failure });
    }
  });
});
