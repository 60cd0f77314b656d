import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goodRecord as good } from "../../test/good-record.js";
import { defaultChargingCurve, vehicleAttributeNames } from "../index.js";
import {
  CatalogueError,
  catalogueFromJson,
  catalogueFromVehicles,
  formatRecordProblem,
} from "../server/index.js";

function problemsOf(...records: unknown[]): string[] {
  return catalogueFromJson(records).report.problems.map(({ field, message }) => `${field} ${message}`);
}

describe("ids and brands of a record", () => {
  const around = "must not contain a comma, nor blanks at its ends; got";
  const long = "x".repeat(201);
  test.each<readonly [id: unknown, problem?: string]>([
    ["a b"],
    [long.slice(1)],
    [long, "must have at most 200 characters; got 201"],
    ["", "must not be empty"],
    ...[" ", " a", "a ", "\ta", "a\u00a0", "a,b", ","].map(
      (id) => [id, `${around} ${JSON.stringify(id)}`] as const,
    ),
    [5, "must be a text; got 5"],
    [null, "must be a text; got null"],
    [["a"], "must be a text; got a list"],
    [undefined, "is missing"],
  ])("an id of %j: %s", (id, problem) => {
    const said = (field: string) => (problem === undefined ? [] : [`${field} ${problem}`]);
    expect(problemsOf({ ...good, id })).toEqual(said("id"));
    expect(problemsOf({ ...good, manufacturer: { id, name: "Northwind" } })).toEqual(said("manufacturer.id"));
  });

  test.each<readonly [manufacturer: unknown, ...problems: string[]]>([
    [{ id: "b1", name: long.slice(1) }],
    [{ id: "b1", name: long }, "manufacturer.name must have at most 200 characters; got 201"],
    [{ id: "b1", name: "" }, "manufacturer.name must not be empty"],
    [{ id: "b1", name: " " }, "manufacturer.name must not be empty"],
    [{ id: "b1", name: 5 }, "manufacturer.name must be a text; got 5"],
    [{}, "manufacturer.id is missing", "manufacturer.name is missing"],
    [Object.create({ id: "b1", name: "B" }), "manufacturer.id is missing", "manufacturer.name is missing"],
    ["N", 'manufacturer must be an object with id and name; got "N"'],
    [["N"], "manufacturer must be an object with id and name; got a list"],
    [null, "manufacturer must be an object with id and name; got null"],
    [undefined, "manufacturer must be an object with id and name; got nothing"],
  ])("a brand of %j", (manufacturer, ...problems) => {
    expect(problemsOf({ ...good, manufacturer })).toEqual(problems);
  });

  test.each(["text", 5, null, ["v1"], undefined])("and a record of %j is none", (record) => {
    const [problem, ...others] = problemsOf(record);
    expect([problem, others]).toEqual([expect.stringMatching(/^ must be an object; got /), []]);
  });
});

describe("a record", () => {
  test("has no lists and tables without end", () => {
    const table = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.0`, at]));
    const points = Array.from({ length: 1002 }, (_, at) => ({ percentage: at / 20, power: 1 }));
    const ports = Array.from({ length: 21 }, (_, at) => `port${at}`);
    expect(problemsOf({ ...good, ac_power_per_charging_point: table(1001) })).toEqual([]);
    for (const [field, value, message] of [
      ["ac_power_per_charging_point", table(1002), "must have at most 1001 members; got 1002"],
      ["dc_charging_curve", points, "must have at most 1001 items; got 1002"],
      ["ac_ports", ports, "must have at most 20 items; got 21"],
    ] as const) {
      expect(problemsOf({ ...good, [field]: value })).toEqual([`${field} ${message}`]);
    }
  });

  test("may leave out what has a rule", () => {
    const [vehicle] = catalogueFromJson([good]).vehicles();
    expect(vehicle).toEqual({
      ...good,
      release_year: null,
      variant: "",
      dc_ports: [],
      dc_max_power: null,
      dc_charging_curve: [],
      dc_default_charging_curve: false,
      dc_charge_ports: [],
    });
  });

  test.each([
    ["no curve", {}],
    ["an empty curve", { dc_charging_curve: [] }],
    ["null as its curve", { dc_charging_curve: null }],
    ["null as its curve and its flag", { dc_charging_curve: null, dc_default_charging_curve: null }],
  ])("with DC charging and %s gets the default curve, flagged", (_, curve) => {
    const direct = { dc_max_power: 120, dc_ports: ["tesla_suc", "ccs"], dc_default_charging_curve: false };
    const [vehicle] = catalogueFromJson([{ ...good, ...direct, ...curve }]).vehicles();
    expect(vehicle).toMatchObject({
      dc_ports: ["ccs", "tesla_suc"],
      dc_charge_ports: ["ccs"],
      dc_default_charging_curve: true,
      dc_charging_curve: [
        { percentage: 0, power: 114 },
        { percentage: 75, power: 120 },
        { percentage: 100, power: 11 },
      ],
    });
  });

  test("is mended where there is one right form, and every repair is reported", () => {
    const catalogue = catalogueFromJson([
      {
        ...good,
        model: " Borealis\r",
        dc_ports: ["tesla_ccs", "ccs"],
        manufacturer: { id: "b1", name: "Northwind " },
      },
    ]);
    expect(catalogue.vehicles()[0]).toMatchObject({
      model: "Borealis",
      dc_ports: ["ccs", "tesla_ccs"],
      manufacturer: { name: "Northwind" },
    });
    expect(catalogue.report.repairs).toEqual([
      {
        index: 0,
        id: "v1",
        field: "model",
        message: "had white space around it",
        from: " Borealis\r",
        to: "Borealis",
      },
      {
        index: 0,
        id: "v1",
        field: "dc_ports",
        message: "was not in the documented order",
        from: ["tesla_ccs", "ccs"],
        to: ["ccs", "tesla_ccs"],
      },
      {
        index: 0,
        id: "v1",
        field: "manufacturer.name",
        message: "had white space around it",
        from: "Northwind ",
        to: "Northwind",
      },
    ]);
  });

  test("is reported as mended also where it shares what was mended with another one", () => {
    const ports = { dc_ports: ["tesla_ccs", "ccs"] };
    const { repairs } = catalogueFromJson([
      { ...good, ...ports },
      { ...good, ...ports, id: "v2" },
    ]).report;
    expect(repairs.map(({ index, field }) => [index, field])).toEqual([
      [0, "dc_ports"],
      [1, "dc_ports"],
    ]);
  });

  test("has no members within attributes that are not declared, and each that was left out is reported", () => {
    const nested = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`);
    const { report, ...catalogue } = catalogueFromJson([
      {
        ...good,
        energy_consumption: { note: nested, average_consumption: 16.2, ["x".repeat(200)]: 1 },
        dc_charging_curve: [
          { percentage: 0, power: 95 },
          { percentage: 100, source: "a", power: 11, ...JSON.parse('{"__proto__":1}') },
        ],
        manufacturer: { ...good.manufacturer, country: "x" },
      },
      { ...good, id: "v2" },
    ]);
    const [vehicle, other] = catalogue.vehicles();
    expect(vehicle).toEqual({
      ...other,
      id: "v1",
      energy_consumption: { average_consumption: 16.2 },
      dc_charging_curve: [
        { percentage: 0, power: 95 },
        { percentage: 100, power: 11 },
      ],
      dc_default_charging_curve: false,
    });
    expect(report.repairs.map(({ field, message }) => `${field} ${message}`)).toEqual([
      "energy_consumption.note is not declared, and was left out",
      `energy_consumption.${"x".repeat(100)} is not declared, and was left out`,
      "dc_charging_curve[1].source is not declared, and was left out",
      "dc_charging_curve[1].__proto__ is not declared, and was left out",
      "manufacturer.country is not declared, and was left out",
    ]);
    // A report can be written out, whatever was left out.
    expect(JSON.parse(JSON.stringify(report.repairs[0]))).toMatchObject({ from: "an object" });
  });

  test("has the keys of its AC table as decimal texts, in numerical order", () => {
    const [vehicle] = catalogueFromJson([
      { ...good, ac_power_per_charging_point: { "11": 11, "2.3": 2.3, "2": 2, "3.68": 3.6, "43.0": 11 } },
    ]).vehicles();
    expect(Object.keys(vehicle?.ac_power_per_charging_point ?? {})).toEqual([
      "2.0",
      "2.3",
      "3.68",
      "11.0",
      "43.0",
    ]);
  });

  const wrong = [
    { change: { id: undefined }, problem: "id is missing" },
    { change: { id: "" }, problem: "id must not be empty" },
    { change: { id: 7 }, problem: "id must be a text; got 7" },
    { change: { id: "a,b" }, problem: 'id must not contain a comma, nor blanks at its ends; got "a,b"' },
    { change: { type: "truck" }, problem: 'type must be one of car, motorbike; got "truck"' },
    { change: { ev_type: "hev" }, problem: 'ev_type must be one of bev, phev; got "hev"' },
    { change: { model: " " }, problem: "model must not be empty" },
    { change: { model: null }, problem: "model must be a text; got null" },
    { change: { release_year: 2020.5 }, problem: "release_year must be an integer or null; got 2020.5" },
    { change: { release_year: "2020" }, problem: 'release_year must be an integer or null; got "2020"' },
    { change: { usable_battery_size: -1 }, problem: "usable_battery_size must be at least 0; got -1" },
    { change: { usable_battery_size: Number.NaN }, problem: "usable_battery_size must be a number; got NaN" },
    {
      change: { usable_battery_size: 1e6 },
      problem: "usable_battery_size must be at most 10000; got 1000000",
    },
    { change: { ac_phases: 4 }, problem: "ac_phases must be one of 1, 2, 3; got 4" },
    { change: { ac_ports: ["type3"] }, problem: 'ac_ports[0] must be one of type1, type2; got "type3"' },
    { change: { ac_ports: ["type2", "type2"] }, problem: "ac_ports must not repeat an item" },
    { change: { ac_ports: "type2" }, problem: 'ac_ports must be a list; got "type2"' },
    {
      change: { dc_default_charging_curve: "yes" },
      problem: 'dc_default_charging_curve must be true or false; got "yes"',
    },
    { change: { energy_consumption: {} }, problem: "energy_consumption.average_consumption is missing" },
    { change: { energy_consumption: 16 }, problem: "energy_consumption must be an object; got 16" },
    {
      change: { ac_power_per_charging_point: { fast: 1 } },
      problem:
        'ac_power_per_charging_point must not have the key "fast": keys are decimal texts such as "11.0"',
    },
    {
      change: { ac_power_per_charging_point: { "11": 1, "11.0": 2 } },
      problem:
        'ac_power_per_charging_point must not have the key "11": keys are decimal texts such as "11.0"',
    },
    {
      change: { ac_power_per_charging_point: { "11.0": "1" } },
      problem: 'ac_power_per_charging_point["11.0"] must be a number; got "1"',
    },
    {
      change: { dc_charging_curve: [{ percentage: 101, power: 1 }] },
      problem: "dc_charging_curve[0].percentage must be at most 100; got 101",
    },
    { change: { dc_charging_curve: [{ percentage: 1 }] }, problem: "dc_charging_curve[0].power is missing" },
    {
      change: {
        dc_charging_curve: [
          { percentage: 5, power: 1 },
          { percentage: 5, power: 1 },
        ],
      },
      problem: "dc_charging_curve[1].percentage must rise; got 5 after 5",
    },
    { change: { dc_charging_curve: ["x"] }, problem: 'dc_charging_curve[0] must be an object; got "x"' },
    {
      change: { manufacturer: "Northwind" },
      problem: 'manufacturer must be an object with id and name; got "Northwind"',
    },
    { change: { manufacturer: { id: "b1" } }, problem: "manufacturer.name is missing" },
  ];
  for (const { change, problem } of wrong) {
    test(`with ${JSON.stringify(change)} is reported: ${problem}`, () => {
      const catalogue = catalogueFromJson([
        { ...good, id: "v0" },
        { ...good, ...change },
      ]);
      expect(catalogue.report.problems.map(({ field, message }) => `${field} ${message}`)).toEqual([problem]);
      expect(catalogue.report.problems[0]?.index).toBe(1);
      expect(catalogue.vehicles().map(({ id }) => id)).toEqual(["v0"]);
    });
  }

  test.each([
    [{ usable_battery_size: 58n }, "usable_battery_size must be a number; got a BigInt"],
    [{ dc_charging_curve: [{ percentage: 0, power: 1n }] }, "dc_charging_curve[0].power must be a number"],
    [{ ac_ports: [{ a: 1n }, { a: 2n }] }, "ac_ports[0] must be a text; got an object"],
  ])("with a BigInt is reported, with its place", (change, problem) => {
    expect(problemsOf({ ...good, ...change })[0]).toContain(problem);
  });

  test("has its report written out, whatever a member that is not declared has", () => {
    const { repairs } = catalogueFromJson([{ ...good, colour: 1n }]).report;
    expect(JSON.parse(JSON.stringify(repairs))).toMatchObject([{ field: "colour", from: "a BigInt" }]);
  });

  test("that is no object at all is reported as a whole", () => {
    expect(problemsOf(null, "x", [], 3)).toEqual([
      " must be an object; got null",
      ' must be an object; got "x"',
      " must be an object; got a list",
      " must be an object; got 3",
    ]);
  });

  test("has all its problems reported at once", () => {
    expect(problemsOf({})).toHaveLength(11);
  });

  test("is not mixed up with what every object inherits", () => {
    const sly = JSON.parse('{"__proto__": {"id": "v1"}, "constructor": 1, "model": "x"}');
    expect(problemsOf(sly)).toContain("id is missing");
    const catalogue = catalogueFromJson([{ ...good, model: "__proto__", id: "constructor" }]);
    expect(catalogue.vehicles()[0]).toMatchObject({ id: "constructor", model: "__proto__" });
  });
});

describe("a list of records", () => {
  test("has each id once, in whatever case, and one name and spelling per brand", () => {
    const catalogue = catalogueFromJson([
      good,
      { ...good, id: "V1", type: "motorbike" },
      { ...good, id: "v2", manufacturer: { id: "b1", name: "Northwynd" } },
      { ...good, id: "v3", manufacturer: { id: "B1", name: "Northwind" } },
    ]);
    expect(catalogue.vehicles().map(({ id }) => id)).toEqual(["v1"]);
    expect(catalogue.report.problems.map(formatRecordProblem)).toEqual([
      "record 1 (id V1): id is the id of record 0 already",
      'record 2 (id v2): manufacturer.name must be "Northwind", as in record 0; got "Northwynd"',
      'record 3 (id v3): manufacturer.id must be "b1", as in record 0; got "B1"',
    ]);
  });

  test("is refused as a whole when strict, with all problems", () => {
    const load = () =>
      catalogueFromVehicles([{ ...good, ac_phases: 4 } as never, good as never, {} as never], {
        strict: true,
      });
    expect(load).toThrow(/^record 0 \(id v1\): ac_phases must be one of 1, 2, 3; got 4 \(and 11 more\)$/);
    expect(load).toThrow(expect.objectContaining({ code: "invalid_data", problems: expect.any(Array) }));
  });

  test("may be empty, and may be wrapped", () => {
    expect(catalogueFromJson([]).vehicles()).toEqual([]);
    expect(catalogueFromJson({ vehicles: [good] }).vehicles()).toHaveLength(1);
  });

  test("has to be a list", () => {
    for (const data of [null, 3, "x", {}, { data: [] }, { vehicles: {} }]) {
      expect(() => catalogueFromJson(data)).toThrow(CatalogueError);
    }
  });

  test("goes round: what a catalogue holds makes the same catalogue", () => {
    const first = catalogueFromJson([good, { ...good, id: "v2", dc_max_power: 50, dc_ports: ["ccs"] }]);
    const second = catalogueFromVehicles(first.vehicles());
    expect(second.report).toMatchObject({ loaded: 2, problems: [], repairs: [] });
    expect(second.vehicles()).toEqual(first.vehicles());
    expect(second.snapshot().version).toBe(first.snapshot().version);
  });

  test("of anything never throws, and loses no record without a word", () => {
    const field = fc.constantFrom(...vehicleAttributeNames, "id", "type", "manufacturer", "__proto__");
    const change = fc.dictionary(
      field,
      fc.oneof(fc.jsonValue(), fc.constantFrom("car", "bev", 1, [], "type2")),
      { maxKeys: 4 },
    );
    const record = fc.oneof(
      fc.jsonValue(),
      change.map((members) => ({ ...good, ...members })),
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (records) => {
        const catalogue = catalogueFromJson(records);
        const { report } = catalogue;
        const vehicles = catalogue.vehicles();
        const wrongOnes = new Set(report.problems.map(({ index }) => index));
        expect(vehicles.length + wrongOnes.size).toBe(records.length);
        expect(report.loaded).toBe(vehicles.length);
      }),
      { seed: 6, numRuns: 500 },
    );
  });
});

describe("replace", () => {
  test("keeps the old data when the new are broken", async () => {
    const catalogue = catalogueFromJson([good]);
    const version = catalogue.snapshot().version;
    for (const data of [{}, [{}], "x"]) await expect(catalogue.replace(data)).rejects.toThrow(CatalogueError);
    expect(catalogue.snapshot().version).toBe(version);
    expect(await catalogue.replace([{ ...good, id: "v2" }, {}])).toMatchObject({ loaded: 1 });
    expect(catalogue.report.problems.length).toBeGreaterThan(0);
    expect(catalogue.snapshot().version).not.toBe(version);
    expect((await catalogue.replace([])).loaded).toBe(0);
  });
});

test("the default curve is 95 % of the DC maximum, all of it, and the AC maximum, to one decimal", () => {
  expect(defaultChargingCurve(77.7, 7.36)).toEqual([
    { percentage: 0, power: 73.8 },
    { percentage: 75, power: 77.7 },
    { percentage: 100, power: 7.4 },
  ]);
});
