import { describe, expect, test } from "vitest";
import { openEvDataFile } from "../../test/server/listening.js";
import {
  type Correction,
  catalogueFromJson,
  catalogueFromVehicles,
  type VehicleInput,
} from "../server/index.js";
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

  test.each([
    [{ model: "Zephyr" }, 'is no longer "Zephyr", but "Mistral"'],
    [{ model: "Zephyr", usable_battery_size: 57.5 }, 'is no longer "Zephyr", but "Mistral"'],
    [{ type: "motorbike" }, 'is no longer "motorbike", but "car"'],
    [{ model: "Mistral", dc_ports: ["chademo"] }, /^is no longer \["chademo"\], but \[/],
  ])("are not made where a field is no longer what it was that they do not set: %j", (was, message) => {
    const set = { usable_battery_size: 41, variant: "41 kWh" };
    const { report, vehicle } = corrected([{ id: car!.id, set, was }]);
    expect(report.staleCorrections).toEqual([
      { id: car!.id, field: expect.any(String), message: expect.stringMatching(message) },
    ]);
    expect(vehicle).toEqual(car);
  });

  test("hold the zeros for one, of which nothing shows the sign", () => {
    const zero = JSON.parse("-0");
    const { report, vehicle } = corrected(
      [
        { id: car!.id, set: { dc_max_power: 0 } },
        { id: car!.id, set: { model: "X" }, was: { dc_max_power: 0 } },
      ],
      { ...car!, dc_max_power: zero, dc_charging_curve: [{ percentage: 0, power: zero }] },
    );
    expect(report.staleCorrections).toMatchObject([{ field: "dc_max_power", message: "is so already" }]);
    expect(vehicle?.model).toBe("X");
  });

  test("are made where all that they do not set is what it was", () => {
    const was = { model: "Mistral", type: "car", manufacturer: car!.manufacturer };
    const { report, vehicle } = corrected([{ id: car!.id, set: { usable_battery_size: 41 }, was }]);
    expect(report.staleCorrections).toEqual([]);
    expect(vehicle).toMatchObject({ usable_battery_size: 41 });
  });

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

  test.each([176, 17.6])(
    "take a consumption of a file that is in Wh/km as the file has it and as it is shown: %d",
    (wrong) => {
      const id = "3e99e8b9-dcea-755b-2b49-781757dd3946";
      const [set, was] = [17.7, wrong].map((average_consumption) => ({
        energy_consumption: { average_consumption },
      }));
      const file = openEvDataFile();
      const { report, snapshot } = catalogueFromJson(file, { corrections: [{ id, set: set!, was: was! }] });
      expect(report.staleCorrections).toEqual([]);
      expect(snapshot().find({ ...all, ids: [id] }).vehicles).toMatchObject([set]);
    },
  );

  const assumed = {
    dc_max_power: 50,
    ac_max_power: 11,
    dc_charging_curve: [],
    dc_default_charging_curve: true,
  };
  const curveOf = (...powers: number[]) =>
    [0, 75, 100].map((percentage, at) => ({ percentage, power: powers[at] }));
  const measured = curveOf(40, 30, 20);
  test.each([
    { set: { dc_max_power: 100 }, curve: curveOf(95, 100, 11), isDefault: true },
    { set: { ac_max_power: 22 }, curve: curveOf(47.5, 50, 22), isDefault: true },
    { set: { dc_max_power: null, dc_ports: [] }, curve: [], isDefault: false },
    { set: { dc_charging_curve: measured }, curve: measured, isDefault: false },
    { set: { dc_charging_curve: measured, dc_max_power: 40 }, curve: measured, isDefault: false },
    { set: { dc_charging_curve: [], dc_max_power: 40 }, curve: curveOf(38, 40, 11), isDefault: true },
    { set: { model: "X" }, curve: curveOf(47.5, 50, 11), isDefault: true },
  ])("keep a default curve one of its maxima: $set", ({ set, curve, isDefault }) => {
    const [published] = catalogueFromVehicles([{ ...car!, ...assumed }]).vehicles();
    for (const record of [published!, { ...car!, ...assumed }]) {
      const { vehicle } = corrected([{ id: car!.id, set }], record);
      expect(vehicle).toMatchObject({ dc_charging_curve: curve, dc_default_charging_curve: isDefault });
    }
  });

  test.each([
    { dcPorts: ["ccs"], set: { dc_ports: [], dc_max_power: null }, ports: [] },
    { dcPorts: [], set: { dc_ports: ["ccs"], dc_max_power: 50 }, ports: ["ccs"] },
    { dcPorts: ["ccs"], set: { dc_ports: ["tesla_suc"] }, ports: [] },
    { dcPorts: ["ccs"], set: { dc_ports: ["chademo", "ccs"] }, ports: ["ccs", "chademo"] },
    { dcPorts: ["ccs"], set: { dc_ports: ["chademo"], dc_charge_ports: ["ccs"] }, ports: ["ccs"] },
    { dcPorts: ["ccs"], set: { dc_charge_ports: ["chademo"] }, ports: ["chademo"] },
    { dcPorts: ["ccs", "chademo"], shown: ["ccs"], set: { dc_ports: ["chademo"] }, ports: ["ccs"] },
  ])(
    "keep the standard ones of $dcPorts, whatever form they come in: $set",
    ({ dcPorts, shown, set, ports }) => {
      const record = { ...car!, dc_ports: dcPorts, dc_charge_ports: shown };
      const [published] = catalogueFromVehicles([record as VehicleInput]).vehicles();
      for (const one of [published!, record]) {
        expect(new Set(corrected([{ id: car!.id, set }], one).vehicle?.dc_charge_ports)).toEqual(
          new Set(ports),
        );
      }
      expect(published).toMatchObject({ dc_ports: dcPorts });
    },
  );

  test("tell of standard ports that follow all ports", () => {
    const { report } = corrected([{ id: car!.id, set: { dc_ports: ["chademo"] } }]);
    expect(report.repairs).toMatchObject([
      { field: "dc_ports", to: ["chademo"] },
      { field: "dc_charge_ports", message: "was worked out anew", from: ["ccs"], to: ["chademo"] },
    ]);
  });

  test("tell of a curve that follows its maxima, and let measured ones be", () => {
    const [published] = catalogueFromVehicles([{ ...car!, ...assumed }]).vehicles();
    const { report } = corrected([{ id: car!.id, set: { dc_max_power: 100 } }], published);
    expect(report.repairs).toMatchObject([
      { field: "dc_max_power", from: 50, to: 100 },
      { field: "dc_charging_curve", from: curveOf(47.5, 50, 11), to: curveOf(95, 100, 11) },
    ]);
    const own = { ...car!, ...assumed, dc_charging_curve: measured, dc_default_charging_curve: false };
    const { vehicle } = corrected([{ id: car!.id, set: { dc_max_power: 100 } }], own);
    expect(vehicle).toMatchObject({ dc_charging_curve: measured, dc_default_charging_curve: false });
  });

  test("let a curve be that they say is no default one, whatever becomes of its maxima", () => {
    const [published] = catalogueFromVehicles([{ ...car!, ...assumed }]).vehicles();
    const set = { dc_max_power: 100, dc_default_charging_curve: false };
    const { vehicle } = corrected([{ id: car!.id, set }], published);
    expect(vehicle).toMatchObject({ ...set, dc_charging_curve: curveOf(47.5, 50, 11) });
  });

  test.each([
    [198, "x".repeat(198), '"'],
    [199, "x".repeat(199), "\u2026"],
  ])("tell so much of a value of %d letters that is no longer there", (length, told, end) => {
    const was = { model: "x".repeat(length) };
    const { report } = corrected([{ id: car!.id, set: { model: "X" }, was }]);
    expect(report.staleCorrections).toMatchObject([
      { message: `is no longer "${told}${end}, but "Mistral"` },
    ]);
  });

  test.each<readonly [given: object, was: object, message: string]>([
    [{ model: " Föhn " }, { model: "Zephyr" }, 'is no longer "Zephyr", but "Föhn"'],
    [
      { manufacturer: { id: "x", name: " X " } },
      { manufacturer: { id: "x", name: "Y" } },
      'is no longer {"id":"x","name":"Y"}, but {"id":"x","name":"X"}',
    ],
    [
      { manufacturer: { id: "x" } },
      { manufacturer: { id: "x", name: "Y" } },
      'is no longer {"id":"x","name":"Y"}, but {"id":"x"}',
    ],
  ])("tell what there is as it is shown, as far as it can be: %j", (given, was, message) => {
    const set = { usable_battery_size: 41 };
    const { report } = corrected([{ id: car!.id, set, was: { ...was } }], { ...car, ...given });
    expect(report.staleCorrections).toMatchObject([{ message }]);
  });

  test("set their other fields where one that they set is no longer what it was, or is right already", () => {
    const { id, variant } = car!;
    const set = { model: "X", variant, usable_battery_size: 41 };
    const { report, vehicle } = corrected([{ id, set, was: { model: "Zephyr", usable_battery_size: 57.5 } }]);
    expect(vehicle).toEqual({ ...car, usable_battery_size: 41 });
    expect(report.staleCorrections).toEqual([
      { id, field: "model", message: 'is no longer "Zephyr", but "Mistral"' },
      { id, field: "variant", message: "is so already" },
    ]);
  });

  test("of one vehicle are made in their order, each on what those before it have made", () => {
    const { id } = car!;
    const { report, vehicle } = corrected([
      { id, set: { model: "Second" }, was: { model: "Mistral" } },
      { id: id.toUpperCase(), set: { model: "Third", variant: "V" }, was: { model: "Second" } },
      // What was right before is none any more.
      { id, set: { model: "Fourth" }, was: { model: "Mistral" } },
      { id, set: { usable_battery_size: 41 }, was: { model: "Third", variant: "V" } },
      { id, set: { usable_battery_size: 42 }, was: { model: "Mistral" } },
      { id, set: { variant: "V" } },
    ]);
    expect(vehicle).toMatchObject({ model: "Third", variant: "V", usable_battery_size: 41 });
    expect(report.repairs.map(({ field, from, to }) => [field, from, to])).toEqual([
      ["model", "Mistral", "Second"],
      ["model", "Second", "Third"],
      ["variant", car!.variant, "V"],
      ["usable_battery_size", 57.5, 41],
    ]);
    expect(report.staleCorrections).toEqual([
      { id, field: "model", message: 'is no longer "Mistral", but "Third"' },
      { id, field: "model", message: 'is no longer "Mistral", but "Third"' },
      { id, field: "variant", message: "is so already" },
    ]);
  });

  test("of one vehicle work out a curve and ports anew from what those before them have made", () => {
    const { id } = car!;
    const one = { ...car!, ...assumed };
    const { report, vehicle } = corrected(
      [
        { id, set: { dc_max_power: 100 } },
        { id, set: { ac_max_power: 22 } },
        { id, set: { dc_ports: ["chademo"] } },
        { id, set: { dc_ports: ["tesla_suc"] } },
      ],
      one,
    );
    expect(vehicle).toMatchObject({ dc_charging_curve: curveOf(95, 100, 22), dc_charge_ports: [] });
    expect(
      report.repairs
        .filter(({ message }) => message === "was worked out anew")
        .map(({ from, to }) => [from, to]),
    ).toEqual([
      [[], curveOf(95, 100, 11)],
      [curveOf(95, 100, 11), curveOf(95, 100, 22)],
      [["ccs"], ["chademo"]],
      [["chademo"], []],
    ]);
    // A curve that is no default any more stays, whatever becomes of its maxima later.
    for (const kept of [{}, { dc_default_charging_curve: false }]) {
      const set = { dc_charging_curve: measured, ...kept };
      const own = corrected(
        [
          { id, set },
          { id, set: { dc_max_power: 40 } },
        ],
        one,
      );
      expect(own.vehicle).toMatchObject({ dc_charging_curve: measured, dc_default_charging_curve: false });
      expect(own.report.repairs.map(({ message }) => message)).not.toContain("was worked out anew");
    }
    // Nor does one that was never said to be a default one.
    const { dc_charging_curve: _, dc_default_charging_curve: __, ...bare } = one;
    const without = corrected(
      [
        { id, set: { dc_max_power: 100 } },
        { id, set: { ac_max_power: 22 } },
      ],
      bare,
    );
    expect(without.vehicle).toMatchObject({ dc_charging_curve: curveOf(95, 100, 22) });
    expect(without.report.repairs.map(({ field }) => field)).toEqual(["dc_max_power", "ac_max_power"]);
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

  test("name the one that is none", () => {
    const of = (corrections: unknown) => () =>
      catalogueFromVehicles([], { corrections: corrections as readonly Correction[] });
    expect(of([{ id: "a", set: {} }, { id: "a" }])).toThrow(/known\. corrections\[1\] is none\.$/);
    expect(of([{ id: "a", set: {} }, { id: "a", set: { id: "b" } }, { id: "a" }])).toThrow(
      /corrections\[1\] is none: it sets the id, which stays\.$/,
    );
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

  const brand = car!.manufacturer;
  const right = { id: brand.id, name: "Right" };
  const three = ["a", "b", "c"].map((id) => ({ ...car!, id }));
  const namesOf = (records: readonly VehicleInput[], corrections: readonly Correction[]): unknown => {
    const { report, snapshot } = catalogueFromVehicles(records, { corrections });
    expect(report.staleCorrections).toEqual([]);
    const { vehicles } = snapshot().find(all);
    expect(snapshot().brands()).toEqual([...new Set(vehicles.map(({ manufacturer }) => manufacturer))]);
    return [vehicles.map(({ id, manufacturer }) => `${id} ${manufacturer.name}`), report.problems.length];
  };
  test.each(["a", "b", "c"])("rename a brand for all of its vehicles: said of %s", (id) => {
    const correction = { id, set: { manufacturer: right }, was: { manufacturer: brand } };
    expect(namesOf(three, [correction])).toEqual([["a Right", "b Right", "c Right"], 0]);
    const twice = three.map((one) => ({ ...correction, id: one.id }));
    expect(namesOf(three, twice)).toEqual([["a Right", "b Right", "c Right"], 0]);
    // The data themselves are not written into.
    expect(three.map(({ manufacturer }) => manufacturer.name)).toEqual([brand.name, brand.name, brand.name]);
  });

  test.each(["a", "b", "c"])("rename a brand also where the record of %s is itself wrong", (id) => {
    const records = three.map((one) => (one.id === id ? { ...one, usable_battery_size: -1 } : one));
    const others = ["a", "b", "c"].filter((one) => one !== id);
    const correction = { id, set: { manufacturer: right } };
    expect(namesOf(records, [correction])).toEqual([others.map((one) => `${one} Right`), 1]);
    const nameless = { id, set: { manufacturer: { id: brand.id, name: " " } } };
    expect(namesOf(three, [nameless])).toEqual([others.map((one) => `${one} ${brand.name}`), 1]);
  });

  test("rename a brand as that of its first vehicle says, whatever one says of a record that is left out", () => {
    const records = three.map((one) => (one.id === "a" ? { ...one, usable_battery_size: -1 } : one));
    const corrections = ["First", "Second"].map((name, index) => ({
      id: three[index]!.id,
      set: { manufacturer: { id: brand.id, name } },
    }));
    expect(namesOf(records, corrections)).toEqual([["b Second", "c Second"], 1]);
  });

  test.each(["a", "b", "c"].flatMap((id) => [[id, "Other"] as const, [id, brand.name] as const]))(
    "leave the name of a brand to its own vehicles, when %s is moved to it: %s",
    (id, name) => {
      const other = { id: "other", name };
      const records = three.map((one) => (one.id === id ? one : { ...one, manufacturer: other }));
      const move = (called: string) => [{ id, set: { manufacturer: { id: "other", name: called } } }];
      const others = ["a", "b", "c"].filter((one) => one !== id).map((one) => `${one} ${name}`);
      expect(namesOf(records, move("Slip"))).toEqual([others, 1]);
      expect(namesOf(records, move(name))).toEqual([["a", "b", "c"].map((one) => `${one} ${name}`), 0]);
    },
  );

  test("leave out those that are moved to a brand under another name, wherever they stand, and no others", () => {
    const other = { id: "other", name: "Other" };
    const ids = ["a", "b", "c", "d", "e", "f"];
    const records = ids.map((id) => ({ ...car!, id, ...(id === "f" && { manufacturer: other }) }));
    for (const slips of [
      ["a", "b"],
      ["a", "c", "e"],
      ["b", "d"],
      ["a", "b", "c", "d", "e"],
    ]) {
      const moves = slips.map((id) => ({ id, set: { manufacturer: { id: "other", name: "Slip" } } }));
      const left = ids.filter((id) => !slips.includes(id));
      const { report, snapshot } = catalogueFromVehicles(records, { corrections: moves });
      const { vehicles } = snapshot().find(all);
      expect(vehicles.map(({ id }) => id).sort(), slips.join()).toEqual(left);
      expect(report.problems.map(({ id, index }) => [id, index])).toEqual(
        slips.map((id) => [id, ids.indexOf(id)]),
      );
    }
  });

  test.each(["a", "b", "c"])("take the brand of %s as its own vehicles spell its id", (id) => {
    const loud = { ...brand, id: brand.id.toUpperCase() };
    const spell = (manufacturer: object) => [{ id, set: { manufacturer } }];
    const names = (name: string) => [["a", "b", "c"].map((one) => `${one} ${name}`), 0];
    expect(namesOf(three, spell(loud))).toEqual(names(brand.name));
    expect(namesOf(three, spell({ ...loud, name: "Right" }))).toEqual(names("Right"));
    const odd = three.map((one) => (one.id === id ? { ...one, manufacturer: loud } : one));
    expect(namesOf(odd, spell(brand))).toEqual(names(brand.name));
    const apart = three.map((one) =>
      one.id === id ? { ...one, manufacturer: { id: "other", name: "Other" } } : one,
    );
    expect(namesOf(apart, spell(loud))).toEqual(names(brand.name));
  });

  test("rename no brand that another record names otherwise, nor one that a vehicle is moved to", () => {
    const odd = [three[0]!, { ...three[1]!, manufacturer: { ...brand, name: "Odd" } }, three[2]!];
    const settled = [{ id: "b", set: { manufacturer: brand } }];
    expect(namesOf(odd, settled)).toEqual([["a", "b", "c"].map((id) => `${id} ${brand.name}`), 0]);
    expect(namesOf(odd, [{ id: "b", set: { manufacturer: right } }])).toEqual([
      [`a ${brand.name}`, `c ${brand.name}`],
      1,
    ]);
    const apart = [three[0]!, { ...three[1]!, manufacturer: { id: "other", name: "Other" } }];
    const moved = [{ id: "b", set: { manufacturer: right } }];
    expect(namesOf(apart, moved)).toEqual([[`a ${brand.name}`], 1]);
  });

  test("may be of what an operator has added, of the type and of the manufacturer", () => {
    const extension = { attributes: { volts: { type: "integer" } } } as const;
    const manufacturer = { id: "m", name: "M" };
    const corrections = [{ id: car!.id, set: { volts: 400, type: "motorbike", manufacturer } }];
    const [vehicle] = catalogueFromVehicles([car!], { extension, corrections }).vehicles();
    expect(vehicle).toMatchObject({ volts: 400, type: "motorbike", manufacturer });
  });
});
