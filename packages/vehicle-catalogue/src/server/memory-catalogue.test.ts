import { describe, expect, test } from "vitest";
import { catalogueTestVehicles } from "../testing/catalogue-test-vehicles.js";
import type { Vehicle } from "../vehicle.js";
import { catalogueFromVehicles } from "./index.js";

const vehicles = catalogueTestVehicles();
const [first, second, third] = vehicles as readonly [Vehicle, Vehicle, Vehicle];
const all = { offset: 0, limit: 1000 };
const wrong = { ...second, ac_phases: 9 as never };

describe("what has not changed keeps its time", () => {
  function changing(given: readonly Vehicle[]) {
    const clock = { now: 1000 };
    const catalogue = catalogueFromVehicles(given, { now: () => clock.now });
    const since = async (updatedSince: number): Promise<readonly string[]> =>
      (await catalogue.snapshot().find({ ...all, updatedSince })).vehicles.map(({ id }) => id);
    return { clock, catalogue, since };
  }

  test("when so much changes that a new table is made", async () => {
    const { clock, catalogue, since } = changing([first, second]);
    clock.now = 2000;
    await catalogue.upsert([{ ...second, usable_battery_size: 1 }, third], {
      remove: Array.from({ length: 5001 }, (_, at) => `unknown ${at}`),
    });
    expect((await since(2000)).toSorted()).toEqual([second.id, third.id].sort());
    expect(await since(1001)).toHaveLength(2);
    expect(await since(1000)).toHaveLength(3);
  });

  test("when so much has gone that the table is made anew", async () => {
    const { clock, catalogue, since } = changing(vehicles);
    for (let round = 0; round < 29; round++) {
      clock.now += 1000;
      await catalogue.upsert(vehicles.slice(1).map((one) => ({ ...one, usable_battery_size: round })));
    }
    expect(await since(1000)).toHaveLength(vehicles.length);
    expect(await since(1001)).toHaveLength(vehicles.length - 1);
    expect(await since(clock.now)).toHaveLength(vehicles.length - 1);
    expect(await since(clock.now + 1)).toEqual([]);
  });
});

describe("what is refused changes nothing:", () => {
  test("fewer vehicles than there must be, with what is wrong with the others", async () => {
    const catalogue = catalogueFromVehicles([first]);
    await expect(catalogue.replace([third, wrong], { leastVehicles: 2 })).rejects.toMatchObject({
      code: "shrunk",
      message: "only 1 vehicles are right, and at least 2 must be",
      problems: [{ index: 1, id: second.id, field: "ac_phases" }],
    });
    expect([catalogue.vehicles(), catalogue.report.loaded]).toEqual([[first], 1]);
    expect(await catalogue.replace([third, wrong], { leastVehicles: 1 })).toMatchObject({ loaded: 1 });
    expect(catalogue.vehicles()).toEqual([third]);
  });

  test("a wrong record of what is taken out as well, in whatever case", async () => {
    const catalogue = catalogueFromVehicles([first, second]);
    const upper = second.id.toUpperCase();
    for (const [id, out] of [
      [second.id, upper],
      [upper, second.id],
    ] as const) {
      expect(await catalogue.upsert([{ ...wrong, id }], { remove: [out] })).toMatchObject({ loaded: 0 });
      expect(new Set(catalogue.vehicles())).toEqual(new Set([first, second]));
    }
  });

  test("a wrong record among others, where all have to be right", async () => {
    const catalogue = catalogueFromVehicles([first, second], { strict: true });
    const refused = { code: "invalid_data", problems: [{ field: "ac_phases" }] };
    const changed = { ...first, usable_battery_size: 1 };
    await expect(catalogue.upsert([changed, wrong], { remove: [second.id] })).rejects.toMatchObject(refused);
    await expect(catalogue.replace([changed, wrong])).rejects.toMatchObject(refused);
    expect(new Set(catalogue.vehicles())).toEqual(new Set([first, second]));
  });
});

test.each([undefined, { attributes: { colour: { type: "string" } } } as const])(
  "a catalogue says what it adds to the documented API: %j",
  (extension) => {
    const { understands, ...catalogue } = catalogueFromVehicles([], extension && { extension });
    expect("extension" in catalogue && catalogue.extension).toBe(extension ?? false);
    expect(understands).toEqual(["conditions", "order", "updatedSince"]);
  },
);
