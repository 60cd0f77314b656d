import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../src/index.js";
import { fleet } from "./fleet.js";
import { realDatabase } from "./real-database.js";
import { transactionPooler } from "./transaction-pooler.js";

const database = realDatabase();

/** Sets the battery of one vehicle. */
const written = (schema: string, size: number): string =>
  `update ${schema}.vehicles set attributes = attributes || '{"usable_battery_size": ${size}}' where id like '00000001%'`;

const times = (count: number, statement: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => statement(at + 1)).join(";");

test("who has missed hundreds of transactions reads what was written, and nothing else", async () => {
  const schema = await database.schemaWith(fleet(500));
  const way = await database.way();
  const { connection, sql } = database.server;
  // Behind which no notification comes.
  const pooler = await transactionPooler(
    { connection: { ...connection, host: way.host, port: way.port } },
    2,
  );
  onTestFinished(() => pooler.close());
  const catalogue = database.follow(schema, {
    connection: pooler.connection,
    pollMs: 2 ** 30,
    // After a break everything would be read.
    timeoutMs: 300_000,
  });
  await catalogue.ready();
  const whole = way.received;
  await sql(times(400, (at) => `begin; ${written(schema, at)}; commit`));
  await catalogue.refresh();
  expect(way.received - whole).toBeLessThan(whole / 10);
  const { vehicles } = await (await catalogue.snapshot()).find({ offset: 0, limit: 500 });
  expect(vehicles.some((one) => one.usable_battery_size === 400)).toBe(true);
});

test.each([
  ["savepoints", (schema: string) => times(30, (at) => `savepoint s; ${written(schema, at)}; release s`)],
  [
    "blocks that catch exceptions",
    (schema: string) => `do $$ begin for i in 1..30 loop
      begin ${written(schema, 1)}; exception when others then null; end; end loop; end $$`,
  ],
  [
    "a savepoint that is gone back to",
    (schema: string) =>
      `${written(schema, 1)}; savepoint s; ${written(schema, 2)}; rollback to s; ${written(schema, 3)}`,
  ],
  [
    "a first statement that is gone back on",
    (schema: string) => `savepoint s; ${written(schema, 1)}; rollback to s; ${written(schema, 2)}`,
  ],
])("a transaction with %s is one version", async (_, statements) => {
  const schema = await database.schemaWith(fleet(5));
  const { sql } = database.server;
  const before = await sql(`select * from ${schema}.lineage order by number`);
  await sql(`begin; ${statements(schema)}; commit`);
  const after = await sql(`select * from ${schema}.lineage order by number`);
  expect(after.slice(0, -1)).toEqual(before);
  expect(after.at(-1)).toEqual((await sql(`select number, token from ${schema}.catalogue_version`))[0]);
});

test("a transaction writes its version once, however many statements it has", async () => {
  const schema = await database.schemaWith(fleet(5));
  const { sql } = database.server;
  const sizes = `select pg_relation_size('${schema}.catalogue_version') + pg_relation_size('${schema}.lineage') as bytes`;
  const number = `select number::int from ${schema}.catalogue_version`;
  const [[first], [before]] = [await sql(number), await sql(sizes)];
  await sql(`do $$ begin for i in 1..3000 loop
    begin update ${schema}.brands set id = id where false; exception when others then null; end; end loop; end $$`);
  expect(await sql(sizes)).toEqual([before]);
  expect(await sql(number)).toEqual([{ number: Number(first?.number) + 1 }]);
});

test("a version row of another server, written by a transaction of the same number, is raised all the same", async () => {
  const schema = await database.schemaWith(fleet(5));
  const catalogue = database.follow(schema);
  await catalogue.ready();
  await database.server.sql(`begin; update ${schema}.catalogue_version set written_by = pg_current_xact_id();
    ${written(schema, 7)}; commit`);
  await catalogue.refresh();
  const { vehicles } = await (await catalogue.snapshot()).find({ offset: 0, limit: 5 });
  expect(vehicles.some((one) => one.usable_battery_size === 7)).toBe(true);
});

test("a change is of the time at which the server was asked, by its clock", async () => {
  const schema = await database.schemaWith(fleet(5));
  const { sql } = database.server;
  const clock = "select extract(epoch from clock_timestamp())::float8 * 1000 as now";
  const catalogue = database.follow(schema, { pollMs: 2 ** 30 });
  await catalogue.ready();
  const [before] = await sql(clock);
  await sql(written(schema, 7));
  await catalogue.refresh();
  const [after] = await sql(clock);
  const { updatedAt } = await catalogue.snapshot();
  expect(updatedAt).toBeGreaterThanOrEqual(Math.floor(Number(before?.now)));
  expect(updatedAt).toBeLessThanOrEqual(Number(after?.now));
});

test("versions of long ago are forgotten", async () => {
  const schema = await database.schemaWith(fleet(3));
  const { sql } = database.server;
  await sql(`update ${schema}.catalogue_version set number = 20990;
    insert into ${schema}.lineage select n, gen_random_uuid() from generate_series(100, 20990) n on conflict do nothing`);
  await sql(times(30, (at) => `begin; ${written(schema, at)}; commit`));
  const [kept] = await sql(
    `select min(number)::int as first, max(number)::int as last from ${schema}.lineage`,
  );
  expect(kept).toEqual({ first: 11_000, last: 21_020 });
});

test("who may read versions may still do so after the migration", async () => {
  const { connection, sql } = database.server;
  const schema = "granted_before";
  await migrate(connection, { schema, upTo: 4 });
  await sql(`create role "Serving role" login password 'serving'; grant usage on schema ${schema} to "Serving role";
    grant select on all tables in schema ${schema} to "Serving role"`);
  await migrate(connection, { schema });
  const own = { ...connection, user: "Serving role", password: "serving" };
  const catalogue = database.follow(schema, { connection: own });
  await catalogue.ready();
  await sql(`insert into ${schema}.brands values ('b', 'Brand')`);
  await catalogue.refresh();
  expect(catalogue.health().state).toBe("live");
});
