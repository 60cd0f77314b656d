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

describe("values of added attributes", () => {
  const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
  const load = (schema: object, x: unknown) =>
    catalogueFromJson(
      [
        { ...base, x },
        { ...base, id: "other" },
      ],
      { extension: { attributes: { x: schema } } },
    );

  test.each([
    [{}, nested(30)],
    [{ type: "array" }, nested(30)],
    [{ type: "object", additionalProperties: true }, { a: nested(29) }],
    [{ type: "string", enum: ["a", "b"] }, "b"],
    [{ enum: [1, "b"] }, 1],
    [{ type: "object", properties: { a: { type: "number" } }, additionalProperties: false }, { a: 1 }],
    [{ type: "array", items: { type: "object" }, uniqueItems: true }, [{ a: 1 }, { a: 2 }]],
  ])("that are right for %j are taken, and so are vehicles without any", (schema, x) => {
    expect(
      load(schema, x)
        .vehicles()
        .map((vehicle) => Reflect.get(vehicle, "x")),
    ).toEqual([x, null]);
  });

  test.each([
    [{}, nested(31), "x must not be nested deeper than 30 levels"],
    [{ type: "array" }, nested(20_000), "x must not be nested deeper than 30 levels"],
    [{ type: "object" }, { a: nested(4000) }, "x must not be nested deeper than 30 levels"],
    [{ additionalProperties: false, properties: { a: {} } }, { a: 1, b: 2 }, "x.b is not declared"],
    [{ type: "object", additionalProperties: false }, { b: 2 }, "x.b is not declared"],
    [{ type: "string", minLength: 3 }, "ab", "x must have at least 3 characters; got 2"],
    [
      { uniqueItems: true },
      [
        { a: [1], b: 2 },
        { b: 2, a: [1] },
      ],
      "x must not repeat an item",
    ],
    [
      { propertyNames: { pattern: "^[a-z]$" } },
      { ab: 1 },
      'x must not have the key "ab": keys are like ^[a-z]$',
    ],
  ])("that are wrong for %j are reported, and the others stay", (schema, x, problem) => {
    const { report } = load(schema, x);
    expect([report.loaded, report.problems.map(({ field, message }) => `${field} ${message}`)]).toEqual([
      1,
      [problem],
    ]);
  });

  test.each([
    [{}, 1n, "x must be a value of JSON; got a BigInt"],
    [{}, { a: [0, 1n] }, "x.a[1] must be a value of JSON; got a BigInt"],
    [{ uniqueItems: true }, [{ a: 1n }, { a: 1n }], "x[0].a must be a value of JSON; got a BigInt"],
    [{ type: "object" }, { a: Number.NaN }, "x.a must be a value of JSON; got NaN"],
    [{}, [-Infinity], "x[0] must be a value of JSON; got -Infinity"],
    [{}, () => 1, "x must be a value of JSON; got a function"],
    [{}, [Symbol("a")], "x[0] must be a value of JSON; got a symbol"],
  ])("that JSON cannot say are reported (%#)", (schema, x, problem) => {
    const { report } = load(schema, x);
    expect([report.loaded, report.problems.map(({ field, message }) => `${field} ${message}`)]).toEqual([
      1,
      [problem],
    ]);
  });

  test("may be described by a schema of 20 levels, and no more", () => {
    const schema = (levels: number): object => (levels > 1 ? { items: schema(levels - 1) } : {});
    expect(load(schema(20), nested(20)).report.loaded).toBe(2);
    const endless: { items?: object } = {};
    endless.items = endless;
    for (const one of [schema(21), schema(2000), endless]) {
      expect(() => load(one, [])).toThrow(/attribute x has a schema of more than 20 levels/);
    }
  });

  test("that are nested deep can be compared with corrections", () => {
    const corrections = [{ id: "other", set: { x: [1] }, was: { x: [2] } }];
    const extension = { attributes: { x: {} } };
    const records = [{ ...base, id: "other", x: nested(20_000) }];
    const { problems, staleCorrections } = catalogueFromJson(records, { extension, corrections }).report;
    expect([problems.length, staleCorrections?.length]).toEqual([1, 1]);
  });
});

test("examples in the schema of an added attribute have to be values of JSON", () => {
  const extended = { attributes: { x: { examples: [1n] } } } as object;
  expect(() => catalogueFromJson([], { extension: extended })).toThrow(/examples.*a list of values of JSON/);
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
    [{ attributes: { model: {} } }, /^There is an attribute "model" already\.$/],
    [{ attributes: { manufacturer: {} } }, /^There is an attribute "manufacturer" already\.$/],
    [{ attributes: { "a b": {} } }, /^An attribute cannot be called "a b": use letters, digits and/],
    [{ attributes: { constructor: {} } }, /^An attribute cannot be called "constructor"/],
    [{ attributes: { x: null } }, /attribute x needs a JSON Schema/],
    [{ attributes: { x: { type: "blob" } } }, /attribute x has the type "blob"/],
    [{ attributes: { x: { type: ["integer", 5] } } }, /attribute x has the type 5/],
    [{ attributes: { x: { type: "string", pattern: "^[A-Z]+$" } } }, /attribute x has no "pattern"/],
    [{ attributes: { x: { type: "number", exclusiveMinimum: 9 } } }, /no "exclusiveMinimum"/],
    [{ attributes: { x: { anyOf: [{ type: "string" }] } } }, /attribute x has no "anyOf"/],
    [{ attributes: { x: { type: "string", maxLenght: 5 } } }, /no "maxLenght"; did you mean "maxLength"/],
    [{ attributes: { x: { items: { const: 1 } } } }, /attribute x.items has no "const"/],
    [{ attributes: { x: { properties: { a: { $ref: "#" } } } } }, /attribute x.properties.a has no "\$ref"/],
    [{ attributes: { x: { additionalProperties: { not: {} } } } }, /x.additionalProperties has no "not"/],
    [{ attributes: { x: { type: "number", minimum: "9" } } }, /x.minimum must be a number; got "9"/],
    [{ attributes: { x: { maximum: Number.NaN } } }, /x.maximum must be a number; got NaN/],
    [{ attributes: { x: { minLength: -1 } } }, /x.minLength must be a whole number from 0; got -1/],
    [{ attributes: { x: { maxItems: 1.5 } } }, /x.maxItems must be a whole number from 0; got 1.5/],
    [{ attributes: { x: { enum: [] } } }, /x.enum must be a list of texts and numbers, and not empty/],
    [{ attributes: { x: { enum: [{}] } } }, /x.enum must be a list of texts and numbers/],
    [{ attributes: { x: { type: [] } } }, /attribute x has no type in its list/],
    [{ attributes: { x: { uniqueItems: 1 } } }, /x.uniqueItems must be true or false; got 1/],
    [{ attributes: { x: { required: "a" } } }, /x.required must be a list of texts/],
    [{ attributes: { x: { properties: [] } } }, /x.properties must be an object/],
    [{ attributes: { x: { items: true } } }, /attribute x.items needs a JSON Schema/],
    [{ attributes: { x: { propertyNames: { pattern: "(" } } } }, /x.propertyNames.pattern must be a reg/],
    [{ attributes: { x: { propertyNames: { maxLength: 1 } } } }, /x.propertyNames has no "maxLength"/],
    [{ attributes: { x: { description: 1 } } }, /x.description must be a text; got 1/],
  ])("of %j is refused at once", (extension, message) => {
    expect(() => catalogueFromJson([], { extension: extension as never })).toThrow(TypeError);
    expect(() => catalogueFromJson([], { extension: extension as never })).toThrow(message);
  });
});
