import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defaultChargingCurve } from "../default-charging-curve.js";
import { CorrectionSheet } from "../records/corrections.js";
import { atOnce } from "../records/sliced.js";
import { vehicleRules } from "../records/vehicle-rules.js";
import { CatalogueError, isOpenEvData, vehiclesFromOpenEvData } from "./index.js";
import { readingOpenEvData } from "./vehicles-from-open-ev-data.js";

interface Entry {
  readonly id: string;
  readonly brand: string;
  readonly vehicle_type: string;
  readonly type: string;
  readonly brand_id: string;
  readonly model: string;
  readonly release_year: number | null;
  readonly variant: string;
  readonly usable_battery_size: number;
  readonly ac_charger: {
    readonly usable_phases: number;
    readonly ports: readonly string[];
    readonly max_power: number;
    readonly power_per_charging_point: Readonly<Record<string, number>>;
  };
  readonly dc_charger: null | {
    readonly ports: readonly string[];
    readonly max_power: number;
    readonly charging_curve: readonly object[];
    readonly is_default_charging_curve: boolean;
  };
  readonly energy_consumption: { readonly average_consumption: number };
}

const text = readFileSync(new URL("../../testdata/ev-data.json", import.meta.url), "utf8");
const file: { readonly data: readonly Entry[]; readonly brands: readonly object[] } = JSON.parse(text);
const read = vehiclesFromOpenEvData(JSON.parse(text));

describe("the Open EV Data file", () => {
  test("is read whole: 293 vehicles of 38 brands, no problems", () => {
    expect(read.vehicles).toHaveLength(293);
    expect(read.problems).toEqual([]);
    expect(new Set(read.vehicles.map(({ manufacturer }) => manufacturer.id)).size).toBe(38);
    expect(read.updatedAt).toBe("2021-09-09T08:27:25Z");
  });

  test("is mapped field by field", () => {
    for (const [index, entry] of file.data.entries()) {
      const { ac_charger: ac, dc_charger: dc } = entry;
      const wattHours = entry.energy_consumption.average_consumption;
      const table = Object.entries(ac.power_per_charging_point);
      expect(read.vehicles[index]).toEqual({
        id: entry.id,
        type: entry.vehicle_type,
        ev_type: entry.type,
        model: entry.model,
        release_year: entry.release_year,
        variant: entry.variant.trim(),
        usable_battery_size: entry.usable_battery_size,
        ac_phases: ac.usable_phases,
        ac_ports: ac.ports,
        ac_max_power: ac.max_power,
        ac_power_per_charging_point: Object.fromEntries(
          table.map(([key, power]) => [key.includes(".") ? key : `${key}.0`, power]),
        ),
        dc_ports: dc === null ? [] : expect.arrayContaining([...dc.ports]),
        dc_max_power: dc === null ? null : dc.max_power,
        dc_charging_curve: dc === null ? [] : dc.charging_curve,
        dc_default_charging_curve: dc?.is_default_charging_curve ?? false,
        dc_charge_ports: ["ccs", "chademo"].filter((port) => dc?.ports.includes(port)),
        energy_consumption: { average_consumption: wattHours > 60 ? Math.round(wattHours) / 10 : wattHours },
        manufacturer: { id: entry.brand_id, name: entry.brand },
      });
    }
  });

  test("has every repair reported: 10 consumptions, 3 variants, 1 list of ports", () => {
    const counts = new Map<string, number>();
    for (const { field } of read.repairs) counts.set(field, (counts.get(field) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({
      "energy_consumption.average_consumption": 10,
      variant: 3,
      "dc_charger.ports": 1,
    });
    expect(read.repairs[0]).toEqual({
      index: 4,
      id: "3e99e8b9-dcea-755b-2b49-781757dd3946",
      field: "energy_consumption.average_consumption",
      message: "was in Wh/km, not in kWh/100 km",
      from: 176,
      to: 17.6,
    });
    const consumptions = read.vehicles.map(
      ({ energy_consumption }) => energy_consumption.average_consumption,
    );
    expect([Math.min(...consumptions), Math.max(...consumptions)]).toEqual([4.5, 35]);
  });

  test("has its 61 default curves exactly as the rule makes them", () => {
    const flagged = read.vehicles.filter((vehicle) => vehicle.dc_default_charging_curve);
    expect(flagged).toHaveLength(61);
    for (const { dc_max_power, ac_max_power, dc_charging_curve } of flagged) {
      expect(dc_charging_curve).toEqual(defaultChargingCurve(dc_max_power ?? 0, ac_max_power));
    }
  });
});

describe("files like it", () => {
  const [entry] = file.data;

  test.each([
    [60, 60],
    [60.1, 6.01],
    [60.2, 6.02],
    [187, 18.7],
    [187.65, 18.765],
    [600, 60],
    [600.1, 600.1],
  ])("with a consumption of %d have %d kWh/100 km", (written, meant) => {
    const { vehicles } = vehiclesFromOpenEvData({
      data: [{ ...entry, energy_consumption: { average_consumption: written } }],
      brands: file.brands,
    });
    expect(vehicles.map(({ energy_consumption }) => energy_consumption.average_consumption)).toEqual([meant]);
  });

  test("name wrong fields as the file spells them, and the good records stay", () => {
    const { vehicles, indexes, problems } = vehiclesFromOpenEvData({
      data: [
        { ...entry, id: "a", ac_charger: { ...entry?.ac_charger, usable_phases: 9 } },
        { ...entry, id: "b", vehicle_type: "boat" },
        { ...entry, id: "c", dc_charger: { ...entry?.dc_charger, charging_curve: [{ percentage: 0 }] } },
        { ...entry, id: "d", brand_id: "unknown", brand: undefined },
        { ...entry, id: "e", ac_charger: null },
        "no record",
        { ...entry, id: "g" },
        { ...entry, id: "h", brand_id: "a,b" },
      ],
      brands: file.brands,
    });
    expect(vehicles.map(({ id }) => id)).toEqual(["g"]);
    expect(indexes).toEqual([6]);
    expect(problems.at(-2)?.message).toBe('must be an object; got "no record"');
    expect(problems.map(({ index, field }) => `${index} ${field}`)).toEqual([
      "0 ac_charger.usable_phases",
      "1 vehicle_type",
      "2 dc_charger.charging_curve[0].power",
      "3 brand",
      "4 ac_charger.usable_phases",
      "4 ac_charger.ports",
      "4 ac_charger.max_power",
      "4 ac_charger.power_per_charging_point",
      "5 ",
      "7 brand_id",
    ]);
  });

  test("may have consumptions beyond repair, which are refused", () => {
    const strange = { ...entry, energy_consumption: { average_consumption: 5000 } };
    const { problems } = vehiclesFromOpenEvData({ data: [strange], brands: file.brands });
    expect(problems.map(({ field }) => field)).toEqual(["energy_consumption.average_consumption"]);
  });

  test("have repairs in the order of their entries, and a thousand of them", () => {
    const blank = { ...entry, model: " M ", energy_consumption: { average_consumption: 16 } };
    const wrong = { ...entry, energy_consumption: { average_consumption: 160 } };
    const data = Array.from({ length: 1002 }, (_, at) => ({
      ...(at % 2 === 0 ? blank : wrong),
      id: `v${at}`,
    }));
    const { repairs, omitted } = vehiclesFromOpenEvData({ data, brands: file.brands });
    expect(repairs.map(({ index }) => index)).toEqual(Array.from({ length: 1000 }, (_, at) => at));
    expect(omitted).toEqual({ problems: 0, repairs: 2 });
  });

  test("have problems and repairs beyond a thousand counted, each for itself", () => {
    const data = Array.from({ length: 1003 }, (_, at) => ({
      ...{ ...entry, id: `v${at}`, model: " M ", energy_consumption: { average_consumption: 160 } },
      ...(at > 0 && { ac_charger: { ...entry?.ac_charger, usable_phases: 9 } }),
    }));
    const { repairs, problems, omitted } = vehiclesFromOpenEvData({ data, brands: file.brands });
    expect([repairs.length, problems.length, omitted]).toEqual([1000, 1000, { problems: 2, repairs: 1006 }]);
  });

  test("have what is not declared beside a mended consumption reported, and repairs without an id where there is none", () => {
    const odd = { ...entry, id: 5, energy_consumption: { average_consumption: 160, unit: "Wh" } };
    const { repairs } = vehiclesFromOpenEvData({ data: [odd], brands: file.brands });
    const message = "was in Wh/km, not in kWh/100 km";
    const unknown = { message: "is not declared, and was left out", from: "Wh", to: undefined };
    expect(repairs).toEqual([
      { index: 0, field: "energy_consumption.average_consumption", message, from: 160, to: 16 },
      { index: 0, field: "energy_consumption.unit", ...unknown },
    ]);
  });

  test("have consumptions that are texts refused", () => {
    const odd = { ...entry, energy_consumption: { average_consumption: "160" } };
    const { problems } = vehiclesFromOpenEvData({ data: [odd], brands: file.brands });
    expect(problems).toMatchObject([{ message: 'must be a number; got "160"' }]);
  });

  test("have what an operator has added under its own name, also in what is wrong with it", () => {
    const attributes = { type_note: { type: "string" }, valueOf: { type: "number" } } as const;
    const data = [
      { ...entry, id: "a", type_note: "x" },
      { ...entry, id: "b", type_note: 5 },
    ];
    const reading = readingOpenEvData({ data, brands: file.brands }, vehicleRules({ attributes }));
    const { vehicles, problems } = atOnce(reading);
    expect(vehicles).toMatchObject([{ id: "a", type_note: "x", valueOf: null }]);
    expect(problems).toMatchObject([{ index: 1, field: "type_note" }]);
  });

  test("have corrections reported as the file spells them", () => {
    const rules = vehicleRules();
    const corrections = new CorrectionSheet([{ id: entry?.id ?? "", set: { ac_phases: 2 } }], rules);
    const { repairs } = atOnce(readingOpenEvData({ data: [entry], brands: [] }, rules, corrections));
    expect(repairs).toMatchObject([{ field: "ac_charger.usable_phases", message: "was corrected", to: 2 }]);
  });

  test("call a brand as the list of brands does", () => {
    const brands = [{ id: entry?.brand_id, name: "As listed" }];
    const { vehicles } = vehiclesFromOpenEvData({ data: [entry], brands });
    expect(vehicles[0]?.manufacturer.name).toBe("As listed");
  });

  test("may have no date and no brands", () => {
    const { updatedAt, vehicles } = vehiclesFromOpenEvData({ data: [entry], brands: [] });
    expect(updatedAt).toBeUndefined();
    const odd = { data: [entry], brands: [], meta: { updated_at: 1_631_176_045 } };
    expect(vehiclesFromOpenEvData(odd).updatedAt).toBeUndefined();
    expect(vehicles[0]?.manufacturer.name).toBe("Aiways");
  });

  test("are told from anything else", () => {
    for (const other of [null, 1, [], {}, { data: [] }, { data: {}, brands: [] }]) {
      expect(isOpenEvData(other)).toBe(false);
      expect(() => vehiclesFromOpenEvData(other)).toThrow(CatalogueError);
      expect(() => vehiclesFromOpenEvData(other)).toThrow(expect.objectContaining({ code: "invalid_data" }));
    }
    expect(vehiclesFromOpenEvData({ data: [], brands: [] }).vehicles).toEqual([]);
  });
});
