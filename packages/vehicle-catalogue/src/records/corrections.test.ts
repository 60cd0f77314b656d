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
    {
      correction: { set: { model: "X" }, was: { model: "Y" } },
      message: 'is no longer "Y", but "Mistral"',
      field: "model",
    },
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

  test.each(Object.keys(car!).filter((name) => name !== "id"))(
    "know what is shown of every vehicle of a file: %s",
    (field) => {
      const file = openEvDataFile();
      // One stays: a list without anything right is refused.
      const [, ...others] = catalogueFromJson(file).vehicles();
      const corrections = others.map(({ id, ...shown }) => ({
        id,
        set: { [field]: "wrong" },
        was: { [field]: shown[field as keyof typeof shown] },
      }));
      expect(catalogueFromJson(file, { corrections }).report.staleCorrections).toEqual([]);
    },
  );

  const untidy = {
    ...car!,
    variant: " GT ",
    ac_power_per_charging_point: { 11: 11, 2: 2 },
    dc_ports: ["tesla_ccs", "ccs"],
    dc_charge_ports: undefined,
    manufacturer: { id: car!.manufacturer.id, name: " Northwind ", country: "none" },
  };
  test.each([
    ["variant", " GT "],
    ["variant", "GT"],
    ["dc_ports", ["tesla_ccs", "ccs"]],
    ["dc_ports", ["ccs", "tesla_ccs"]],
    ["dc_charge_ports", ["ccs"]],
    ["ac_power_per_charging_point", { "2.0": 2, "11.0": 11 }],
    ["manufacturer", { id: car!.manufacturer.id, name: "Northwind" }],
  ])("take what is wrong with %s as the data have it and as it is shown: %j", (field, was) => {
    const set = field === "manufacturer" ? { id: "other", name: "Other" } : car![field as keyof typeof car];
    const right = field === "variant" ? "GTI" : set;
    const { report } = corrected([{ id: car!.id, set: { [field]: right }, was: { [field]: was } }], untidy);
    expect(report.staleCorrections).toEqual([]);
  });

  test("take what is wrong as it was before the correction, whatever else that corrects", () => {
    const set = { dc_ports: ["chademo"], dc_charge_ports: ["chademo"] };
    const was = { dc_ports: ["ccs", "tesla_ccs"], dc_charge_ports: ["ccs"] };
    const { report, vehicle } = corrected([{ id: car!.id, set, was }], untidy);
    expect(report.staleCorrections).toEqual([]);
    expect(vehicle).toMatchObject(set);
  });

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
