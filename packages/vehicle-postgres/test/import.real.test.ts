import { isDeepStrictEqual } from "node:util";
import type { Vehicle } from "@wye/vehicle-catalogue";
import { compareVehicles } from "@wye/vehicle-catalogue/server";
import { describe, expect, test } from "vitest";
import { createDirectCatalogue, exportVehicles, importVehicles } from "../src/index.js";
import { fleet } from "./fleet.js";
import { collect, realDatabase } from "./real-database.js";

const database = realDatabase();
const exported = (schema: string): Promise<Vehicle[]> =>
  collect(exportVehicles(database.server.connection, { schema }));

describe("import and export", () => {
  test("give back what came, in the order of the catalogue", async () => {
    const vehicles = fleet(700);
    const schema = await database.schemaWith(vehicles);
    expect(await exported(schema)).toEqual([...vehicles].sort(compareVehicles));
  });

  test("touch nothing that is as it should be", async () => {
    const { connection, sql } = database.server;
    const vehicles = fleet(50);
    const schema = await database.schemaWith(vehicles);
    const changed = vehicles.map((one, at) => (at === 3 ? { ...one, variant: "changed" } : one)).slice(1);
    const rows = (): Promise<readonly object[]> =>
      sql(`select id, row_token from ${schema}.vehicles order by id`);
    const before = await rows();
    const report = await importVehicles(connection, changed, { schema });
    expect(report).toMatchObject({
      added: 0,
      changed: 1,
      removed: 1,
      unchanged: 48,
      problems: [],
      repairs: [],
    });
    const after = await rows();
    expect(
      after.filter((row) => !before.some((one) => JSON.stringify(one) === JSON.stringify(row))),
    ).toHaveLength(1);
  });

  test("of many vehicles let the server know at once how many there are", async () => {
    const { connection, sql } = database.server;
    const schema = await database.schemaWith([]);
    await sql(`alter table ${schema}.vehicles set (autovacuum_enabled = false)`);
    const believed = (): Promise<readonly object[]> =>
      sql(`select reltuples from pg_class where oid = '${schema}.vehicles'::regclass`);
    await importVehicles(connection, fleet(1500), { schema });
    expect(await believed()).toEqual([{ reltuples: 1500 }]);
    await importVehicles(connection, fleet(400), { schema, leastShare: 0 });
    expect(await believed()).toEqual([{ reltuples: 400 }]);
  });

  test("merge adds and changes, and orders vehicles of a renamed brand anew", async () => {
    const { connection } = database.server;
    const vehicles = fleet(60);
    const schema = await database.schemaWith(vehicles);
    const [first] = vehicles;
    const manufacturer = { ...first!.manufacturer, name: "AAA renamed" };
    const incoming = [
      { ...first!, manufacturer },
      { ...first!, id: "new", manufacturer },
    ];
    await importVehicles(connection, incoming, { schema, mode: "merge" });
    const expected = vehicles.map((one) =>
      one.manufacturer.id === manufacturer.id ? { ...one, manufacturer } : one,
    );
    expect(await exported(schema)).toEqual([...expected, incoming[1]!].sort(compareVehicles));
  });

  test("ids and brands in another letter case are the same ones", async () => {
    const { connection } = database.server;
    const [one] = fleet(1);
    const schema = await database.schemaWith([one]);
    const id = one!.id.toUpperCase();
    const manufacturer = { ...one!.manufacturer, id: one!.manufacturer.id.toUpperCase() };
    const report = await importVehicles(connection, [{ ...one, id, manufacturer }], { schema });
    expect(report).toMatchObject({ added: 0, removed: 0 });
    expect(await exported(schema)).toEqual([{ ...one, id, manufacturer }]);
  });

  test("report wrong records and write the others, or nothing when strict", async () => {
    const { connection } = database.server;
    const [a, b, c] = fleet(3);
    const schema = await database.schemaWith([]);
    const data = [
      a,
      { ...b, ac_phases: 9 },
      { ...c, model: "a\u0000b" },
      { ...c, id: "lone", variant: "\ud800" },
    ];
    await expect(importVehicles(connection, data, { schema, strict: true })).rejects.toMatchObject({
      code: "invalid_data",
    });
    expect(await exported(schema)).toEqual([]);
    const { added, problems } = await importVehicles(connection, data, { schema });
    expect([added, problems.map(({ field }) => field)]).toEqual([1, ["ac_phases", "model", "variant"]]);
  });

  test("leave out records whose ids, or whose brands' ids, only JavaScript tells from others", async () => {
    const { connection } = database.server;
    const [a, b, c, d, e] = fleet(5).map((one, at) => ({ ...one, id: ["ΑΣ", "ασ", "c", "d", "e"][at]! }));
    const brand = (id: string) => ({ id, name: "Sigma" });
    const data = [a, b, { ...c!, manufacturer: brand("ΑΣ") }, { ...d!, manufacturer: brand("ασ") }, e];
    const schema = await database.schemaWith([]);
    const { problems, added } = await importVehicles(connection, data, { schema });
    expect([added, problems.map(({ index, field }) => [index, field])]).toEqual([
      3,
      [
        [1, "id"],
        [3, "id"],
      ],
    ]);
    expect((await exported(schema)).map(({ id }) => id).sort()).toEqual(["c", "e", "ΑΣ"]);
    const strict = importVehicles(connection, data, { schema, strict: true });
    await expect(strict).rejects.toMatchObject({ code: "invalid_data" });
  });

  test("refuse data that would empty the catalogue, unless told", async () => {
    const { connection } = database.server;
    const schema = await database.schemaWith(fleet(10));
    for (const data of [[], fleet(4)]) {
      await expect(importVehicles(connection, data, { schema })).rejects.toMatchObject({ code: "shrunk" });
    }
    expect(await exported(schema)).toHaveLength(10);
    await importVehicles(connection, fleet(5), { schema });
    await importVehicles(connection, [], { schema, leastShare: 0 });
    expect(await exported(schema)).toEqual([]);
  });

  test("two at once end as one after the other", async () => {
    const { connection } = database.server;
    const schema = await database.schemaWith([]);
    await Promise.all([1, 2, 3, 4].map((seed) => importVehicles(connection, fleet(40, seed), { schema })));
    const rows = await exported(schema);
    const ends = [1, 2, 3, 4].map((seed) => [...fleet(40, seed)].sort(compareVehicles));
    expect(ends.filter((end) => isDeepStrictEqual(end, rows))).toHaveLength(1);
  });

  test("a row that was spoilt by hand is named", async () => {
    const { sql } = database.server;
    const schema = await database.schemaWith(fleet(3));
    await sql(
      `update ${schema}.vehicles set attributes = attributes || '{"ac_phases": 7}' where id like '00000001%'`,
    );
    await expect(exported(schema)).rejects.toThrow(/00000001.* ac_phases must be/);
    const catalogue = createDirectCatalogue({ connection: database.server.connection, schema });
    const { vehicles } = await (await catalogue.snapshot()).find({ offset: 0, limit: 10 });
    expect(vehicles).toHaveLength(2);
    await catalogue.close();
  });
});

test("a merge that renames a brand keeps what others have written of its vehicles", async () => {
  const [one, ...others] = fleet(20);
  const schema = await database.schemaWith([one, ...others]);
  const { connection, sql } = database.server;
  await sql(`update ${schema}.vehicles set attributes = attributes || '{"battery_voltage": 400}'`);
  const renamed = { ...one!, manufacturer: { ...one!.manufacturer, name: "Renamed" } };
  await importVehicles(connection, [renamed], { schema, mode: "merge" });
  const rows = await sql(
    `select id from ${schema}.vehicles where attributes ? 'battery_voltage' or id = $1`,
    [one!.id],
  );
  expect(rows).toHaveLength(20);
});
