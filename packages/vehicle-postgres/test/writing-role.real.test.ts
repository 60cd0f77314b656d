import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { importVehicles, type PostgresConnection } from "../src/index.js";
import { fleet } from "./fleet.js";
import { countOf, realDatabase, until } from "./real-database.js";

const database = realDatabase();

/** A schema, and a role that has the rights to write in it which the README names. */
async function writingRole(role: string) {
  const schema = await database.schemaWith(fleet(10));
  await database.server.sql(`create role ${role} login password 'writer';
    grant usage on schema ${schema} to ${role};
    grant select on all tables in schema ${schema} to ${role};
    grant insert, update, delete on ${schema}.brands, ${schema}.vehicles to ${role}`);
  const connection: PostgresConnection = { ...database.server.connection, user: role, password: "writer" };
  return { schema, connection };
}

test.each(["replace", "merge"] as const)("a role that may write vehicles can import: %s", async (mode) => {
  const { schema, connection } = await writingRole(`importer_${mode}`);
  expect(await importVehicles(connection, fleet(12), { schema, mode })).toMatchObject({
    added: 2,
    changed: 0,
  });
  const renamed = fleet(12).map((one) => ({
    ...one,
    manufacturer: { ...one.manufacturer, name: `New ${one.manufacturer.name}` },
  }));
  // Those that do not come stay as they are in a merge, but for the name of their brand.
  const report = await importVehicles(connection, renamed.slice(0, 8), { schema, mode, leastShare: 0 });
  expect(report).toMatchObject({ removed: mode === "replace" ? 4 : 0, changed: mode === "replace" ? 8 : 12 });
  // So many that an owner of the tables would have them analysed.
  expect(await importVehicles(connection, fleet(1500), { schema, mode })).toMatchObject({ removed: 0 });
});

test("a role that may write vehicles cannot hide what it writes, by tables or functions of its own either", async () => {
  const { schema, connection } = await writingRole("hider");
  await database.server.sql("grant create on schema public to hider");
  const catalogue = database.follow(schema, { pollMs: 20 });
  await catalogue.ready();
  const hider = new pg.Client({ ...connection });
  await hider.connect();
  onTestFinished(() => hider.end());
  await expect(hider.query(`update ${schema}.catalogue_version set number = 1`)).rejects.toThrow(
    /permission/,
  );
  await hider.query(`create temporary table catalogue_version as table ${schema}.catalogue_version;
    create function public.gen_random_uuid() returns uuid language sql as
      $$ select '00000000-0000-4000-8000-000000000000'::uuid $$;
    set search_path = pg_temp, public, ${schema}`);
  await hider.query(`delete from ${schema}.vehicles where id like '00000001%'`);
  await until(async () => expect(await countOf(catalogue)).toBe(9));
  await hider.query(`update ${schema}.vehicles set attributes = attributes || '{"usable_battery_size": 7}'`);
  await until(async () => {
    const { vehicles } = await (await catalogue.snapshot()).find({ offset: 0, limit: 100 });
    expect(new Set(vehicles.map((one) => one.usable_battery_size))).toEqual(new Set([7]));
  });
});

test("a role that may only read cannot raise versions by triggers on tables of its own", async () => {
  const { connection, sql } = database.server;
  const schema = await database.schemaWith(fleet(3));
  await sql(`create role reader login password 'reader';
    grant usage on schema ${schema} to reader;
    grant select on all tables in schema ${schema} to reader`);
  const reader = new pg.Client({ ...connection, user: "reader", password: "reader" });
  await reader.connect();
  onTestFinished(() => reader.end());
  await reader.query("create temporary table mine (changed_in bigint, row_token uuid)");
  for (const name of ["raise_catalogue_version", "mark_brand", "mark_vehicle"]) {
    const trigger = `create trigger mine before insert on mine for each row execute function ${schema}.${name}()`;
    await expect(reader.query(trigger)).rejects.toThrow(/permission denied for function/);
  }
});
