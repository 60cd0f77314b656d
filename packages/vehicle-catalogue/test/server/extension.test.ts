import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  catalogueFromJson,
  createVehicleRouter,
  openApiDescription,
  type VehicleExtension,
} from "../../src/server/index.js";
import { catalogueTestVehicles } from "../../src/testing/index.js";
import { fullKey, openCatalogue, openEvDataFile, restrictedKey } from "./listening.js";

const [base] = catalogueTestVehicles();
const extension: VehicleExtension = {
  openValues: true,
  attributes: {
    battery_voltage: { type: "number", description: "Volts.", minimum: 0 },
    trims: { type: "array", items: { type: "string" } },
  },
};
const records = [
  { ...base, id: "a", ac_ports: ["nacs", "type2"], dc_ports: ["ccs", "nacs"], battery_voltage: 800 },
  { ...base, id: "b", ev_type: "fcev", trims: ["ü", "s"] },
];

function asking(catalogue = catalogueFromJson(records, { extension })) {
  const keys = [
    { key: fullKey, groups: ["ReadVehicles" as const, "ReadVehiclesFull" as const] },
    { key: restrictedKey, groups: ["ReadVehicles" as const] },
  ];
  const { respond } = createVehicleRouter({ catalogue, keys });
  return async (query: string, key = fullKey) => {
    const { status, headers, body } = await respond({
      method: "GET",
      url: `/v2/vehicles${query}`,
      headers: new Headers({ "api-key": key }),
    });
    return { status, headers, document: JSON.parse(new TextDecoder().decode(body)) };
  };
}

describe("what an operator adds", () => {
  test("is loaded and shown: values that nobody has documented, and attributes of their own", async () => {
    const catalogue = catalogueFromJson(records, { extension });
    expect(catalogue.report).toMatchObject({ loaded: 2, problems: [], repairs: [{ field: "ac_ports" }] });
    const { document } = await asking(catalogue)("");
    const [a, b] = document.data.map(({ attributes }: { attributes: object }) => attributes);
    expect(a).toMatchObject({
      ac_ports: ["type2", "nacs"],
      dc_ports: ["ccs", "nacs"],
      dc_charge_ports: ["ccs"],
      battery_voltage: 800,
      trims: null,
    });
    expect(b).toMatchObject({ ev_type: "fcev", battery_voltage: null, trims: ["ü", "s"] });
  });

  test("can be asked for by fields, with every key, and is not withheld", async () => {
    const ask = asking();
    for (const key of [fullKey, restrictedKey]) {
      const { document } = await ask("?fields[car]=trims,model&page[size]=1&page[number]=2", key);
      expect(document.data[0].attributes).toEqual({ model: "Mistral", trims: ["ü", "s"] });
      const all = await ask("", key);
      expect("dc_charging_curve" in all.document.data[0].attributes).toBe(key === fullKey);
      expect(all.document.data[0].attributes.battery_voltage).toBe(800);
    }
    expect((await ask("?fields[car]=colour")).document.errors[0].detail).toContain("battery_voltage, trims");
  });

  test("is in the description, which every document satisfies", async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addSchema(openApiDescription("", { extension }), "api");
    const validate = ajv.getSchema("api#/components/schemas/VehiclesDocument");
    expect([validate?.((await asking()("")).document), validate?.errors]).toEqual([true, null]);
  });

  test("is checked: wrong values are reported, by their names", () => {
    const wrong = [
      { ...base, battery_voltage: "800" },
      { ...base, id: "b", battery_voltage: -1 },
      { ...base, id: "c", ac_ports: [7] },
      { ...base, id: "d", ac_phases: 4 },
      { ...base, id: "e", ev_type: "" },
    ];
    const { problems } = catalogueFromJson(wrong, { extension }).report;
    expect(problems.map(({ field }) => field)).toEqual([
      "battery_voltage",
      "battery_voltage",
      "ac_ports[0]",
      "ac_phases",
      "ev_type",
    ]);
  });

  test("is part of the tag, and of changes", async () => {
    const catalogue = catalogueFromJson(records, { extension });
    const ask = asking(catalogue);
    const before = (await ask("")).headers.ETag;
    await catalogue.upsert([{ ...records[0], battery_voltage: 400 } as never]);
    const { headers, document } = await ask("");
    expect([document.data[0].attributes.battery_voltage, headers.ETag === before]).toEqual([400, false]);
    const plain = await asking(openCatalogue())("");
    const voltage = { attributes: { battery_voltage: { type: "number" as const } } };
    const extended = await asking(catalogueFromJson(openEvDataFile(), { extension: voltage }))("");
    expect(extended.headers.ETag).not.toBe(plain.headers.ETag);
  });

  test("cannot take a name that is taken or that no attribute can have", () => {
    for (const name of ["model", "id", "type", "manufacturer", "a-b", "", "1a", "__proto__", "constructor"]) {
      const attributes = JSON.parse(`{${JSON.stringify(name)}: {"type": "string"}}`);
      expect(() => catalogueFromJson([], { extension: { attributes } })).toThrow(TypeError);
    }
  });
});

describe("without that", () => {
  test("a value that is not documented is a problem, and an attribute that is not declared is reported", () => {
    const { report } = catalogueFromJson(records);
    expect(report.loaded).toBe(0);
    const { loaded, repairs } = catalogueFromJson([{ ...base, battery_voltage: 800 }]).report;
    expect([loaded, repairs]).toEqual([
      1,
      [
        {
          index: 0,
          id: base!.id,
          field: "battery_voltage",
          message: "is not declared, and was left out",
          from: 800,
          to: undefined,
        },
      ],
    ]);
  });

  test.each([
    [{ foo: 1 }, /has no "foo"/],
    [{ openvalues: true }, /has no "openvalues"/],
    [{ attributes: null }, /must be an object/],
    [{ attributes: { x: null } }, /attribute x needs a JSON Schema/],
    [{ attributes: { x: { type: "blob" } } }, /attribute x has the type "blob"/],
    [{ attributes: { x: { type: ["integer", 5] } } }, /attribute x has the type 5/],
  ])("of %j is refused at once", (extension, message) => {
    expect(() => catalogueFromJson([], { extension: extension as never })).toThrow(TypeError);
    expect(() => catalogueFromJson([], { extension: extension as never })).toThrow(message);
  });
});
