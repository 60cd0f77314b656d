import { expect, test } from "vitest";
import { createDirectCatalogue } from "../src/index.js";
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
