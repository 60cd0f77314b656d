import { describe, expect, test } from "vitest";
import { catalogueTestVehicles } from "../testing/catalogue-test-vehicles.js";
import type { Vehicle } from "../vehicle.js";
import { catalogueFromVehicles, readCatalogueData, readCatalogueDataInSlices } from "./index.js";

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

test.each([
  ["stands still", 0],
  ["goes back", -1000],
  ["goes forward", 1000],
])("each change has a later time than the one before where the clock %s", async (_, step) => {
  let now = 1_000_000;
  const catalogue = catalogueFromVehicles([first], { now: () => now });
  const unknown = Array.from({ length: 5001 }, (_, at) => `unknown ${at}`);
  let before = catalogue.snapshot().updatedAt ?? Number.NaN;
  for (const change of [
    () => catalogue.replace([second]),
    () => catalogue.upsert([first]),
    () => catalogue.upsert([third], { remove: [second.id, ...unknown] }),
    () => catalogue.remove([third.id]),
    () => catalogue.replace([first, second]),
  ]) {
    now += step;
    await change();
    const { updatedAt = Number.NaN } = catalogue.snapshot();
    expect(updatedAt).toBeGreaterThan(before);
    before = updatedAt;
  }
});

const many = Array.from({ length: 4000 }, (_, at) => ({ ...vehicles[at % vehicles.length]!, id: `v${at}` }));

test("changes are made in the order in which they were asked for, also behind one that fails", async () => {
  const catalogue = catalogueFromVehicles([]);
  const outcomes = await Promise.allSettled([
    catalogue.replace(many),
    catalogue.upsert([first]),
    catalogue.replace("none"),
    catalogue.remove(["V1", "v2", "v2", "unknown"]),
    catalogue.replace([second]),
    catalogue.remove(["v3"]),
  ]);
  const made = outcomes.map((one) => (one.status === "rejected" ? one.reason.code : one.value));
  expect(made).toMatchObject([{ loaded: 4000 }, { loaded: 1 }, "invalid_data", 2, { loaded: 1 }, 0]);
  expect(catalogue.vehicles()).toEqual([second]);
});

test("data are read in slices as they are at once, by the same rules", async () => {
  const extension = { attributes: { colour: { type: "string" } } } as const;
  const data = { vehicles: [...many.map((one) => ({ ...one, colour: "red" })), wrong] };
  const reading = readCatalogueDataInSlices(data, extension);
  let isRead = false;
  const read = reading.then((value) => {
    isRead = true;
    return value;
  });
  await new Promise(setImmediate);
  expect(isRead).toBe(false);
  const { vehicles: known, ...others } = readCatalogueData(data, extension);
  const { vehicles: got, ...rest } = await read;
  expect([got.length, got[0], got.at(-1), rest]).toEqual([4000, known[0], known.at(-1), others]);
  expect(got[0]).toMatchObject({ colour: "red" });
});

test("what is no list of records, or of ids, is refused by name, and changes nothing", async () => {
  const catalogue = catalogueFromVehicles([first]);
  for (const [change, problem] of [
    [() => catalogue.upsert({} as never), "upsert needs a list of records"],
    [
      () => catalogue.upsert([second], { remove: first.id as never }),
      "remove must be a list of ids, which are texts",
    ],
    [
      () => catalogue.upsert([second], { remove: [first.id, 5 as never] }),
      "remove must be a list of ids, which are texts",
    ],
    [() => catalogue.remove(first.id as never), "ids must be a list of ids, which are texts"],
    [() => catalogue.remove([first.id, null as never]), "ids must be a list of ids, which are texts"],
  ] as const)
    await expect(change()).rejects.toThrow(new TypeError(problem));
  expect(catalogue.vehicles()).toEqual([first]);
});

test("the report is of the last loading of all data, whatever has changed since", async () => {
  const catalogue = catalogueFromVehicles([first, wrong]);
  expect(catalogue.report).toMatchObject({ loaded: 1, problems: [{ index: 1, field: "ac_phases" }] });
  await catalogue.upsert([second, third, wrong]);
  await catalogue.remove([first.id]);
  await catalogue.replace([wrong]).catch(() => {});
  expect(catalogue.report).toMatchObject({ loaded: 1, problems: [{ index: 1 }] });
  const given = await catalogue.replace([first, second]);
  expect([catalogue.report, given.loaded, given.problems]).toEqual([given, 2, []]);
});

describe("what is refused changes nothing:", () => {
  test("data of which nothing is right, with what is wrong with it", async () => {
    const catalogue = catalogueFromVehicles([first]);
    await expect(catalogue.replace([wrong, wrong])).rejects.toMatchObject({
      code: "invalid_data",
      message: expect.stringMatching(/\(and 1 more\)$/),
      problems: [{ index: 0 }, { index: 1 }],
    });
    expect(catalogue.vehicles()).toEqual([first]);
    expect(await catalogue.replace([])).toMatchObject({ loaded: 0, problems: [] });
    expect(catalogue.vehicles()).toEqual([]);
  });

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
