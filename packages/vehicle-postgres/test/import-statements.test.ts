import { describe, expect, test } from "vitest";
import { importVehicles } from "../src/index.js";
import { fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";

const written = (added: number, changed: number) => [
  { added: true, count: `${added}` },
  { added: false, count: `${changed}` },
];

describe("an import is one transaction of these statements, in this order:", () => {
  const begun = [
    "begin isolation level read committed; set local search_path to fleet, public",
    "select from pg_class",
    "select max(number) as newest from fleet.migrations",
    "set local enable_nestloop = off",
    "update vehicles set id = id where false",
    "select number from catalogue_version",
  ];
  const brought = [
    "create temporary table incoming_brands",
    "insert into incoming_brands",
    "insert into incoming_vehicles",
    "analyze incoming_vehicles",
    "delete from incoming_brands",
    "delete from incoming_vehicles",
    "insert into brands",
  ];
  const swept = ["delete from vehicles", "delete from brands"];
  test.each<readonly [mode: "replace" | "merge", added: number, changed: number, statements: string[]]>([
    [
      "replace",
      999,
      0,
      [...begun, "select count(*) from vehicles", ...brought, "with written", ...swept, "commit"],
    ],
    [
      "replace",
      600,
      400,
      [
        ...begun,
        "select count(*) from vehicles",
        ...brought,
        "with written",
        ...swept,
        "analyze (skip_locked) brands, vehicles",
        "commit",
      ],
    ],
    ["merge", 0, 999, [...begun, ...brought, "select v.id", "with written", "commit"]],
    [
      "merge",
      0,
      1000,
      [
        ...begun,
        ...brought,
        "select v.id",
        "with written",
        "analyze (skip_locked) brands, vehicles",
        "commit",
      ],
    ],
  ])("%s, with %d that are added and %d that are changed", async (mode, added, changed, statements) => {
    const { server } = await fakeDatabase({
      vehicles: fleet(3),
      override: (text) => (text.includes("returning xmax") ? written(added, changed) : undefined),
    });
    await importVehicles(server.connection, fleet(2), { mode, schema: "fleet" });
    const texts = server.asked.map(({ text }) => text.replace(/\s+/g, " "));
    expect(texts.map((text, at) => text.slice(0, statements[at]?.length))).toEqual(statements);
  });

  test.each([
    [999, false],
    [1000, true],
  ])("and counts what it has taken out, too: %d rows, %s", async (rows, isAnalysed) => {
    const { server } = await fakeDatabase({
      override: (text) => {
        if (text.startsWith("delete from vehicles")) return [{}, {}];
        return text.includes("returning xmax") ? written(rows - 502, 500) : undefined;
      },
    });
    const report = await importVehicles(server.connection, fleet(1200));
    expect(report).toMatchObject({ added: rows - 502, changed: 500, removed: 2, unchanged: 1202 - rows });
    expect(server.asked.some(({ text }) => text.startsWith("analyze (skip_locked)"))).toBe(isAnalysed);
  });

  test("and has ten minutes for each", async () => {
    const { server } = await fakeDatabase();
    await importVehicles(server.connection, fleet(1));
    expect(server.asked[0]?.text).toMatch(/to vehicle_catalogue, public;.* statement_timeout = 600000$/);
  });

  test("and brings each brand once", async () => {
    const { server } = await fakeDatabase();
    const data = fleet(40);
    await importVehicles(server.connection, data);
    const sent = server.asked.filter(({ text }) => text.startsWith("insert into incoming_brands"));
    const brands = sent.flatMap(({ values }) => JSON.parse(values[0] ?? ""));
    const wanted = new Map(data.map(({ manufacturer }) => [manufacturer.id, manufacturer]));
    expect(brands).toEqual([...wanted.values()]);
  });

  test("and renames what stays of a brand when it merges, with what nobody here knows of it", async () => {
    const [one, other] = fleet(2) as unknown as readonly [ReturnType<typeof fleet>[number], never];
    const { id, type, manufacturer, ...attributes } = one;
    const row = {
      ...{ id, type, attributes: { ...attributes, colour: "red" } },
      ...{ brand_id: manufacturer.id, brand_name: "Renamed" },
    };
    const { server } = await fakeDatabase({
      number: 7,
      override: (text, values) =>
        text.includes("b.changed_in = $1") ? (values[0] === "7" ? [row] : []) : undefined,
    });
    await importVehicles(server.connection, [other], { mode: "merge" });
    const sent = server.asked.filter(({ text }) => text.startsWith("insert into incoming_vehicles"));
    const [, renamed] = sent.flatMap(({ values }) => JSON.parse(values[0] ?? ""));
    expect(renamed).toMatchObject({ id, brand_id: manufacturer.id, attributes: { colour: "red" } });
    expect(renamed.search_text).toContain("renamed");
  });
});

describe("what was written", () => {
  test("is not counted as unchanged, however many others have changed with it", async () => {
    const { server } = await fakeDatabase({
      override: (text) => (text.includes("returning xmax") ? written(0, 3) : undefined),
    });
    const report = await importVehicles(server.connection, fleet(2), { mode: "merge" });
    expect(report).toMatchObject({ added: 0, changed: 3, removed: 0, unchanged: 0 });
  });

  test("is nothing where wrong records are refused, and they are told", async () => {
    const { server } = await fakeDatabase({
      override: (text) => (text.startsWith("delete from incoming_vehicles") ? [{ id: "b" }] : undefined),
    });
    const [one, other] = fleet(2);
    const named = [
      { ...one, id: "a" },
      { ...other, id: "b" },
    ];
    const wrong = { index: 0, id: "a", field: "ac_phases", message: expect.any(String) };
    const twin = {
      ...{ index: 1, id: "b", field: "id" },
      message: "or that of its brand is the id of another one as PostgreSQL compares letters",
    };
    for (const [data, problems] of [
      [[{ ...named[0], ac_phases: 9 }, named[1]], [wrong]],
      [named, [twin]],
    ] as const) {
      await expect(importVehicles(server.connection, data, { strict: true })).rejects.toMatchObject({
        code: "invalid_data",
        message: "1 things are wrong with the records",
        problems,
      });
    }
    expect(server.asked.filter(({ text }) => text === "commit")).toEqual([]);
    expect((await importVehicles(server.connection, named)).problems).toEqual([twin]);
  });
});

describe("data of fewer vehicles than a share of what is there", () => {
  test.each([
    [5, 10, 0.5, true],
    [4, 10, 0.5, false],
    [5, 11, 0.5, false],
    [0, 10, 0, true],
    [9, 10, 1, false],
    [10, 10, 1, true],
  ])("%d in place of %d, with a share of %d: %s", async (incoming, present, leastShare, isTaken) => {
    const { server } = await fakeDatabase({ vehicles: fleet(present) });
    const outcome = await importVehicles(server.connection, fleet(incoming), { leastShare }).then(
      () => "taken",
      (error: Error) => error.message,
    );
    expect(outcome).toBe(
      isTaken ? "taken" : `${incoming} vehicles would replace ${present} (leastShare: ${leastShare})`,
    );
  });

  test("are taken when they merge", async () => {
    const { server } = await fakeDatabase({ vehicles: fleet(10) });
    const report = await importVehicles(server.connection, fleet(1), { mode: "merge", leastShare: 1 });
    expect(report).toMatchObject({ removed: 0, unchanged: 1 });
  });
});
