import { describe, expect, test } from "vitest";
import { goodRecord as good } from "../../test/good-record.js";
import { CorrectionSheet } from "./corrections.js";
import { type ReadVehicles, readingVehicles } from "./read-vehicles.js";
import { vehicleRules } from "./vehicle-rules.js";

function read(records: readonly object[], apply?: (record: unknown) => unknown): ReadVehicles {
  const steps = readingVehicles(records, undefined, apply && { apply });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

test("vehicles stand beside the places of their records when one is left out because of its corrected brand", () => {
  const moved = { id: "b1", name: "Southwind" };
  const records = ["a", "b", "c"].map((id) => ({ ...good, id, manufacturer: { id: id, name: id } }));
  const { vehicles, indexes, problems } = read([...records, { ...good, id: "d" }], (record) =>
    (record as typeof good).id === "b" ? { ...(record as object), manufacturer: moved } : record,
  );
  expect(vehicles.map(({ id }) => id)).toEqual(["a", "c", "d"]);
  expect(indexes).toEqual([0, 2, 3]);
  expect(problems).toMatchObject([{ index: 1, id: "b", field: "manufacturer.name" }]);
});

test("records are named by their places in the list, also behind one that is left out", () => {
  const wrong = { ...good, id: "wrong", ac_phases: 9 };
  const moved = { id: "b1", name: "Southwind" };
  const records = [
    wrong,
    good,
    { ...good, id: "V1" },
    { ...good, id: "b", manufacturer: { id: "b2", name: "b" } },
  ];
  const { indexes, problems } = read(records, (record) =>
    (record as typeof good).id === "b" ? { ...(record as object), manufacturer: moved } : record,
  );
  expect(indexes).toEqual([1]);
  expect(problems.map(({ index, message }) => `${index} ${message}`)).toEqual([
    expect.stringMatching(/^0 must be one of/),
    "2 is the id of record 1 already",
    '3 must be "Northwind", as in record 1; got "Southwind"',
  ]);
});

test("a correction finds the record that writes its id in other letters, and passes by those that have none", () => {
  const sheet = new CorrectionSheet([{ id: "vÄ", set: { model: "Aurora" } }], vehicleRules());
  const records = [{ ...good, id: 5 }, { ...good, id: "Vä" }, good];
  const steps = readingVehicles(records, undefined, sheet);
  let step = steps.next();
  while (!step.done) step = steps.next();
  expect(step.value.repairs).toMatchObject([{ index: 1, id: "Vä", field: "model" }]);
  expect(step.value.problems).toMatchObject([{ index: 0, field: "id" }]);
  expect(sheet.stale().items).toEqual([]);
});

test("a correction that is not made is told with its id as it is written", () => {
  const corrections = [
    { id: "V1", set: { model: good.model } },
    { id: "V1", set: { model: "Aurora" }, was: { ac_phases: 1 } },
    { id: "V1", set: { model: "Aurora" }, was: { model: undefined } },
    { id: "V2", set: { model: "Aurora" } },
  ];
  const sheet = new CorrectionSheet(corrections, vehicleRules());
  expect(sheet.apply(good, () => {})).toEqual(good);
  expect(sheet.stale().items.map(({ id, field, message }) => `${id} ${field}: ${message}`)).toEqual([
    "V1 model: is so already",
    "V1 ac_phases: is no longer 1, but 3",
    'V1 model: is no longer nothing, but "Borealis"',
    "V2 : is no vehicle of these data",
  ]);
});

test("problems and repairs beyond a thousand are counted, each for itself", () => {
  const records = Array.from({ length: 1003 }, (_, at) => ({
    ...{ ...good, id: `v${at}`, ac_phases: 9 },
    ...(at > 0 && { owner: "somebody" }),
  }));
  const { problems, repairs, omitted } = read(records);
  expect([problems.length, repairs.length, omitted]).toEqual([1000, 1000, { problems: 3, repairs: 2 }]);
});

describe("a report", () => {
  test.each([
    [200, { id: "x".repeat(200) }],
    [201, {}],
  ])("has an id of %d letters if it may be one", (length, shown) => {
    const [repair] = read([{ ...good, id: "x".repeat(length), owner: "me" }]).repairs;
    expect(repair).toEqual({
      ...{ index: 0, field: "owner", message: "is not declared, and was left out" },
      ...{ from: "me", to: undefined, ...shown },
    });
  });

  test("has a text that nobody has declared if it is short", () => {
    const texts = [100, 101].map((length) => "y".repeat(length));
    const { repairs } = read(texts.map((owner, at) => ({ ...good, id: `v${at}`, owner })));
    expect(repairs.map(({ from }) => from === texts[0])).toEqual([true, false]);
  });
});

test.each([
  [
    { "1": 1, "1000": 11 },
    { "1.0": 1, "1000.0": 11 },
  ],
  [
    { "22": 11, "3.7": 3 },
    { "3.7": 3, "22.0": 11 },
  ],
])("the keys of an AC table have decimals: %j", (table, tidied) => {
  const { vehicles } = read([{ ...good, ac_power_per_charging_point: table }]);
  expect(JSON.stringify(vehicles[0]?.ac_power_per_charging_point)).toBe(JSON.stringify(tidied));
});

test("a port that there is not stands behind those that there are, and is in no wrong place", () => {
  const { problems, repairs } = read([{ ...good, ac_ports: ["type2", "nonsense"] }]);
  expect(problems).toMatchObject([{ field: expect.stringContaining("ac_ports") }]);
  expect(repairs).toEqual([]);
  const other = read([{ ...good, ac_ports: ["nonsense", "type2"] }]);
  expect(other.repairs).toMatchObject([{ field: "ac_ports", to: ["type2", "nonsense"] }]);
});

describe("numbers and keys have bounds, which they may reach", () => {
  test.each([
    { release_year: 1880 },
    { release_year: 2200 },
    { usable_battery_size: 10_000 },
    { ac_max_power: 10_000 },
    { ac_power_per_charging_point: { "1234.123": 10_000 } },
    { dc_charging_curve: [{ percentage: 100, power: 10_000 }] },
    { energy_consumption: { average_consumption: 1000 } },
  ])("%j is right", (given) => {
    const { vehicles, problems } = read([{ ...good, ...given }]);
    expect([vehicles.length, problems]).toEqual([1, []]);
  });

  test.each([
    [{ release_year: 1879 }, "release_year"],
    [{ release_year: 2201 }, "release_year"],
    [{ usable_battery_size: 10_001 }, "usable_battery_size"],
    [{ ac_max_power: 10_001 }, "ac_max_power"],
    [{ ac_power_per_charging_point: { "1.1234": 1 } }, "ac_power_per_charging_point"],
    [{ ac_power_per_charging_point: { "12345.1": 1 } }, "ac_power_per_charging_point"],
    [{ ac_power_per_charging_point: { "1.0": 10_001 } }, 'ac_power_per_charging_point["1.0"]'],
    [{ dc_charging_curve: [{ percentage: 101, power: 1 }] }, "dc_charging_curve[0].percentage"],
    [{ dc_charging_curve: [{ percentage: 1, power: 10_001 }] }, "dc_charging_curve[0].power"],
    [{ energy_consumption: { average_consumption: 1001 } }, "energy_consumption.average_consumption"],
  ])("%j is wrong at %s", (given, field) => {
    const { vehicles, problems } = read([{ ...good, ...given }]);
    expect([vehicles, problems.map((problem) => problem.field)]).toEqual([[], [field]]);
  });
});
