import { describe, expect, test } from "vitest";
import { openEvDataFile } from "../../test/server/listening.js";
import { type Correction, catalogueFromJson, catalogueFromVehicles } from "../server/index.js";
import { catalogueTestVehicles } from "../testing/index.js";

const [car] = catalogueTestVehicles();
const all = { offset: 0, limit: 10 };

function corrected(corrections: readonly Correction[], record: object = car!) {
  const catalogue = catalogueFromJson([record], { corrections });
  return { report: catalogue.report, vehicle: catalogue.vehicles()[0] };
}

describe("corrections", () => {
  test("are laid over the data, whatever the case of the id, and reported as repairs", () => {
    const { report, vehicle } = corrected([
      {
        id: car!.id.toUpperCase(),
        set: { usable_battery_size: 58, model: "Mistral II" },
        was: { model: "Mistral" },
      },
    ]);
    expect(vehicle).toMatchObject({ usable_battery_size: 58, model: "Mistral II" });
    expect(report.repairs.map(({ field, from, to }) => [field, from, to])).toEqual([
      ["usable_battery_size", 57.5, 58],
      ["model", "Mistral", "Mistral II"],
    ]);
    expect(report.staleCorrections).toEqual([]);
  });

  const stale = [
    { correction: { set: { model: "Mistral" } }, message: "is so already", field: "model" },
    { correction: { set: { model: "X" }, was: { model: "Y" } }, message: 'is no longer "Y"', field: "model" },
    { correction: { set: { ac_ports: ["type2"] } }, message: "is so already", field: "ac_ports" },
    { correction: { id: "gone", set: { model: "X" } }, message: "is no vehicle of these data", field: "" },
  ];
  for (const { correction, message, field } of stale) {
    test(`that no longer apply are reported: ${message}`, () => {
      const { report, vehicle } = corrected([{ id: car!.id, ...correction }]);
      expect(report.staleCorrections).toMatchObject([{ field, message }]);
      expect(vehicle).toEqual(car);
    });
  }

  test("rescue a record, and are checked like one", () => {
    const broken = { ...car, ac_phases: 9 };
    expect(corrected([{ id: car!.id, set: { ac_phases: 3 } }], broken).vehicle).toEqual(car);
    const { report } = corrected([{ id: car!.id, set: { ac_phases: 9 } }]);
    expect(report.problems).toMatchObject([{ field: "ac_phases" }]);
  });

  test("hold for every loading, of every form of data, and not for single vehicles", async () => {
    const file = openEvDataFile();
    const { id } = file.data[0] as { id: string };
    const catalogue = catalogueFromJson(file, { corrections: [{ id, set: { model: "Corrected" } }] });
    const model = (): string | undefined =>
      catalogue.snapshot().find({ ...all, ids: [id] }).vehicles[0]?.model;
    expect(model()).toBe("Corrected");
    await catalogue.upsert([{ ...catalogue.vehicles().find((one) => one.id === id)!, model: "Mine" }]);
    expect(model()).toBe("Mine");
    await catalogue.replace(file);
    expect(model()).toBe("Corrected");
    await catalogue.replace(catalogueTestVehicles());
    expect(catalogue.report.staleCorrections).toHaveLength(1);
  });

  test("of another form are refused at once", () => {
    for (const corrections of [
      {},
      [{}],
      [{ id: "a" }],
      [{ id: "a", set: { id: "b" } }],
      [{ id: 1, set: {} }],
    ]) {
      expect(() => catalogueFromVehicles([], { corrections: corrections as never })).toThrow(
        /corrections must be/,
      );
    }
  });

  for (const [set, was, message] of [
    [{ usable_batery_size: 1 }, undefined, /has the field "usable_batery_size", which there is not\.$/],
    [{ "energy_consumption.average_consumption": 12 }, undefined, /Fields are corrected whole/],
    [JSON.parse('{"__proto__": 1}'), undefined, /the field "__proto__"/],
    [{ model: "x" }, { modell: "y" }, /the field "modell"/],
  ] as const) {
    test(`of a field that there is not are refused: ${message}`, () => {
      const corrections = [{ id: "a", set, ...(was && { was }) }];
      expect(() => catalogueFromVehicles([], { corrections })).toThrow(TypeError);
      expect(() => catalogueFromVehicles([], { corrections })).toThrow(message);
    });
  }

  test("may be of what an operator has added, of the type and of the manufacturer", () => {
    const extension = { attributes: { volts: { type: "integer" } } } as const;
    const manufacturer = { id: "m", name: "M" };
    const corrections = [{ id: car!.id, set: { volts: 400, type: "motorbike", manufacturer } }];
    const [vehicle] = catalogueFromVehicles([car!], { extension, corrections }).vehicles();
    expect(vehicle).toMatchObject({ volts: 400, type: "motorbike", manufacturer });
  });
});
