import { expect, test } from "vitest";
import { createDirectCatalogue, importVehicles, migrate } from "../src/index.js";
import { fleet } from "./fleet.js";
import { countOf, realDatabase } from "./real-database.js";

const database = realDatabase();

test("100,000 vehicles are imported, followed, changed and counted", async () => {
  const { connection, sql } = database.server;
  const vehicles = fleet(100_000);
  const schema = await database.schemaWith(vehicles);
  const catalogue = database.follow(schema, { timeoutMs: 120_000 });
  await catalogue.ready();
  expect(await countOf(catalogue)).toBe(100_000);

  await sql(
    `update ${schema}.vehicles set attributes = attributes || '{"variant": "hand made"}' where id = $1`,
    [vehicles[7]?.id],
  );
  await catalogue.refresh();
  const { vehicles: changed } = await (await catalogue.snapshot()).find({
    ids: [vehicles[7]?.id ?? ""],
    offset: 0,
    limit: 1,
  });
  expect(changed[0]?.variant).toBe("hand made");
  const direct = createDirectCatalogue({ connection, schema, timeoutMs: 120_000 });
  const snapshot = await direct.snapshot();
  const beyond = await snapshot.find({ offset: 99_990, limit: 100 });
  expect([beyond.vehicles.length, beyond.overallCount]).toEqual([10, 100_000]);
  expect((await snapshot.find({ offset: 2 ** 53 - 101, limit: 100 })).overallCount).toBe(100_000);
  await direct.close();
});

test("what the server believes of tables that were filled just now delays neither an import nor a far page", async () => {
  const { connection, sql } = database.server;
  const schema = "believed_empty";
  const vehicles = fleet(100_000);
  await migrate(connection, { schema });
  await sql(`alter table ${schema}.vehicles set (autovacuum_enabled = false)`);
  // What an analysis leaves behind that sees the pages of an import and not yet its rows.
  const believeEmpty = `update pg_class set reltuples = 0, relpages = 1 where oid = '${schema}.vehicles'::regclass`;
  await sql(believeEmpty);
  const { added } = await importVehicles(connection, vehicles, { schema, timeoutMs: 120_000 });
  expect(added).toBe(100_000);

  await sql(believeEmpty);
  // The ids and what orders them take a fifth of it, all vehicles twice as much.
  await sql("alter role postgres set temp_file_limit = '45MB'");
  const direct = createDirectCatalogue({ connection, schema, timeoutMs: 120_000 });
  try {
    const snapshot = await direct.snapshot();
    const { vehicles: last } = await snapshot.find({ offset: 99_990, limit: 100 });
    expect(last).toHaveLength(10);
  } finally {
    await direct.close();
    await sql("alter role postgres reset temp_file_limit");
  }
});
