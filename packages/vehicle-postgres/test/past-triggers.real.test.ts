import { createVehicleRouter } from "@wye/vehicle-catalogue/server";
import { expect, onTestFinished, test } from "vitest";
import { createDirectCatalogue, exportVehicles } from "../src/index.js";
import { fleet } from "./fleet.js";
import { countOf, realDatabase } from "./real-database.js";

const database = realDatabase();

/** Ways to write past the triggers. */
const sessions = [
  {
    way: "in the role of a replica",
    past: (sql: string) => `set session_replication_role = replica; ${sql}; reset session_replication_role`,
  },
  {
    way: "with triggers switched off",
    past: (sql: string) =>
      `begin; alter table $.vehicles disable trigger all; alter table $.brands disable trigger all; ${sql};
      alter table $.vehicles enable trigger all; alter table $.brands enable trigger all; commit`,
  },
  {
    way: "in a savepoint",
    past: (sql: string) => `begin; set local session_replication_role = replica;
      savepoint s; ${sql}; release s; commit`,
  },
];

const changes = [
  { what: "rows were added", sql: "insert into $.vehicles select * from public.kept" },
  {
    what: "a row was changed",
    sql: `update $.vehicles set attributes = attributes || '{"model": "changed"}' where id like '00000001%'`,
  },
  { what: "a brand was renamed", sql: "update $.brands set name = 'Renamed'" },
  {
    what: "as many rows were added as taken out",
    sql: "delete from $.vehicles where id like '00000001%'; insert into $.vehicles select * from public.kept where id like '0000000c%'",
  },
  { what: "a brand was taken out", sql: "delete from $.brands where id like '%1'" },
  { what: "rows were taken out", sql: "delete from $.vehicles where id like '00000001%'" },
];

const written = (schema: string): string =>
  `update ${schema}.vehicles set attributes = attributes || '{"release_year": 2020}' where id like '00000002%'`;

for (const { way, past } of sessions) {
  test.each(changes)(`${way}: that $what is noticed with the next ordinary change`, async ({ sql }) => {
    const schema = await database.schemaWith(fleet(20));
    const { server } = database;
    await server.sql(
      `create table public.kept as select * from ${schema}.vehicles where id >= '0000000a';
      delete from ${schema}.vehicles where id >= '0000000a'`,
    );
    const catalogue = database.follow(schema);
    await catalogue.ready();
    await server.sql(past(sql).replaceAll("$", schema));
    await server.sql(written(schema));
    await server.sql("drop table public.kept");
    await catalogue.refresh();
    const late = database.follow(schema);
    await late.ready();
    const [one, other] = await Promise.all([catalogue.snapshot(), late.snapshot()]);
    expect([one.version, await countOf(catalogue)]).toEqual([other.version, await countOf(late)]);
  });
}

test("an export throws where the brand of a vehicle has gone", async () => {
  const schema = await database.schemaWith(fleet(20));
  const { connection, sql } = database.server;
  await sql(`set session_replication_role = replica; delete from ${schema}.brands where id like '%1'`);
  const exporting = async (): Promise<void> => {
    for await (const _ of exportVehicles(connection, { schema }));
  };
  await expect(exporting()).rejects.toMatchObject({
    code: "invalid_data",
    message: expect.stringContaining("manufacturer.name"),
  });
});

test("an ordinary change is not taken for one past the triggers", async () => {
  const schema = await database.schemaWith(fleet(500));
  const way = await database.way();
  const { connection, sql } = database.server;
  const catalogue = database.follow(schema, {
    connection: { ...connection, host: way.host, port: way.port },
    pollMs: 2 ** 30,
    timeoutMs: 300_000,
  });
  await catalogue.ready();
  const whole = way.received;
  await sql(
    `begin; savepoint s; ${written(schema)}; release s; savepoint t; ${written(schema)}; rollback to t; commit`,
  );
  await sql(`update ${schema}.brands set id = upper(id) where id like '%1'`);
  await catalogue.refresh();
  expect(way.received - whole).toBeLessThan(whole / 2);
});

test("a statement that changes nothing is enough to have all read", async () => {
  const schema = await database.schemaWith(fleet(5));
  const catalogue = database.follow(schema);
  await catalogue.ready();
  const { sql } = database.server;
  await sql(
    `set session_replication_role = replica; update ${schema}.vehicles set attributes = attributes || '{"model": "changed"}'`,
  );
  await sql(`update ${schema}.vehicles set id = id where false`);
  await catalogue.refresh();
  const { vehicles } = await (await catalogue.snapshot()).find({ offset: 0, limit: 5 });
  expect(vehicles.map(({ model }) => model)).toEqual(Array(5).fill("changed"));
});

test.each(changes)("without memory: that $what is shown with the next ordinary change", async ({ sql }) => {
  const schema = await database.schemaWith(fleet(20));
  const { server } = database;
  await server.sql(
    `create table public.kept as select * from ${schema}.vehicles where id >= '0000000a';
    delete from ${schema}.vehicles where id >= '0000000a'`,
  );
  const catalogue = createDirectCatalogue({ connection: server.connection, schema });
  onTestFinished(() => catalogue.close());
  const keys = [{ key: "k", groups: ["ReadVehicles", "ReadVehiclesFull"] as const }];
  const shown = async (router = createVehicleRouter({ catalogue, keys })): Promise<string> => {
    const request = { method: "GET", url: "/v2/vehicles", headers: new Headers({ "api-key": "k" }) };
    return new TextDecoder().decode((await router.respond(request)).body);
  };
  const router = createVehicleRouter({ catalogue, keys });
  const before = await shown(router);
  await server.sql(sessions[0]?.past(sql).replaceAll("$", schema) ?? "");
  await server.sql(written(schema));
  await server.sql("drop table public.kept");
  expect(await shown(router)).not.toBe(before);
  expect(await shown(router)).toBe(await shown());
});
