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
