import { describe, expect, test } from "vitest";
import { vehiclesFromOpenEvData } from "../open-ev-data/index.js";
import { catalogueFromJson, readCatalogueData } from "../server/index.js";
import { catalogueTestVehicles } from "../testing/index.js";

const [vehicle] = catalogueTestVehicles();
const records = Array.from({ length: 1500 }, (_, at) => ({ ...vehicle, id: `${at}`, model: " blank " }));
const none = { problems: 0, repairs: 0, staleCorrections: 0 };

describe("a report is bounded, and counts what it leaves out", () => {
  test("problems", () => {
    const wrong = records.map((record) => ({ ...record, model: 7 }));
    const { problems, omitted } = catalogueFromJson(wrong).report;
    expect([problems.length, omitted]).toEqual([1000, { ...none, problems: 500 }]);
    expect(() => catalogueFromJson(wrong, { strict: true })).toThrow(/\(and 1499 more\)/);
    expect(readCatalogueData(wrong).omitted).toEqual({ problems: 500, repairs: 0 });
  });

  test("repairs", () => {
    const { loaded, repairs, omitted } = catalogueFromJson(records).report;
    expect([loaded, repairs.length, omitted]).toEqual([1500, 1000, { ...none, repairs: 500 }]);
  });

  test("repairs of an Open EV Data file, of both kinds together, those of the first records", () => {
    const data = records.slice(0, 900).map(({ id }) => ({
      ...{ id, vehicle_type: "car", type: "bev", model: " blank ", release_year: 2020, variant: "" },
      ...{ brand_id: "b", usable_battery_size: 50, energy_consumption: { average_consumption: 150 } },
      ac_charger: { usable_phases: 3, ports: ["type2"], max_power: 11, power_per_charging_point: {} },
      dc_charger: null,
    }));
    const { vehicles, repairs, omitted } = vehiclesFromOpenEvData({ data, brands: [{ id: "b", name: "B" }] });
    expect([vehicles.length, repairs.length, omitted.repairs]).toEqual([900, 1000, 800]);
    expect(repairs.at(-1)?.index).toBe(499);
  });

  test("stale corrections", async () => {
    const corrections = records.map((_, at) => ({ id: `gone ${at}`, set: { model: "x" } }));
    const catalogue = catalogueFromJson([vehicle], { corrections });
    for (const report of [catalogue.report, await catalogue.replace([vehicle])]) {
      expect([report.staleCorrections?.length, report.omitted]).toEqual([
        1000,
        { ...none, staleCorrections: 500 },
      ]);
    }
  });
});
