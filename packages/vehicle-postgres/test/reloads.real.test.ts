import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { exportVehicles } from "../src/index.js";
import { fleet } from "./fleet.js";
import { collect, countOf, realDatabase, until } from "./real-database.js";
import { transactionPooler } from "./transaction-pooler.js";

const database = realDatabase();

/** The ways in which programs empty the tables before they fill them again. */
const truncations = [
  { name: "vehicles", truncate: "truncate $.vehicles" },
  { name: "vehicles and brands", truncate: "truncate $.vehicles, $.brands" },
  { name: "brands, and vehicles with them", truncate: "truncate $.brands cascade" },
];

/** Empties the tables and fills them with what they had, and leaves it to the test when that is committed. */
async function reloading(schema: string, truncate: string): Promise<pg.Client> {
  const client = new pg.Client(database.server.connection);
  client.on("error", () => {});
  onTestFinished(() => client.end());
  await client.connect();
  const statements = `begin;
    create temporary table kept_brands on commit drop as select * from $.brands;
    create temporary table kept on commit drop as select * from $.vehicles; ${truncate};
    insert into $.brands select * from kept_brands on conflict do nothing; insert into $.vehicles select * from kept`;
  await client.query(statements.replaceAll("$", schema));
  return client;
}

/** Until somebody waits for a lock on the tables of a schema. */
function untilSomebodyWaits(schema: string): Promise<void> {
  return until(async () => {
    const waiting = await database.server.sql(
      "select from pg_locks l join pg_class c on c.oid = l.relation where not l.granted and c.relnamespace = $1::regnamespace",
      [schema],
    );
    expect(waiting).not.toEqual([]);
  });
}

describe.each(truncations)("while $name are emptied and filled again in one transaction", ({ truncate }) => {
  test("an export waits, and has all", async () => {
    const schema = await database.schemaWith(fleet(30));
    const loader = await reloading(schema, truncate);
    const exported = collect(exportVehicles(database.server.connection, { schema }));
    await untilSomebodyWaits(schema);
    await loader.query("commit");
    expect(await exported).toHaveLength(30);
  });

  test("a process that starts waits, and is ready with all", async () => {
    const schema = await database.schemaWith(fleet(30));
    const loader = await reloading(schema, truncate);
    const catalogue = database.follow(schema, { pollMs: 2 ** 30, timeoutMs: 300_000 });
    await untilSomebodyWaits(schema);
    await loader.query("commit");
    await catalogue.ready();
    expect(await countOf(catalogue)).toBe(30);
  });

  test("a process that looks because of another change waits, and never has nothing", async () => {
    const schema = await database.schemaWith(fleet(30));
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    // Behind which no notification comes, so that it looks when the test says so.
    const pooler = await transactionPooler({ connection: database.server.connection }, 2);
    onTestFinished(() => pooler.close());
    const catalogue = database.follow(schema, {
      connection: pooler.connection,
      pollMs: 2 ** 30,
      timeoutMs: 300_000,
      leastShare: 0,
      logger: { info: log, warn: log, error: log },
    });
    await catalogue.ready();
    await database.server.sql(`update ${schema}.brands set name = name || ' 2'`);
    const loader = await reloading(schema, truncate);
    const looked = catalogue.refresh();
    await untilSomebodyWaits(schema);
    await loader.query("commit");
    await looked;
    expect(lines.filter((line) => line.includes(" 0 vehicles"))).toEqual([]);
    expect(await countOf(catalogue)).toBe(30);
  });
});

test("a role that may only read sees all as well", async () => {
  const schema = await database.schemaWith(fleet(3));
  const { connection, sql } = database.server;
  await sql(`create role only_reader login password 'reads';
    grant usage on schema ${schema} to only_reader; grant select on all tables in schema ${schema} to only_reader`);
  const reader = { ...connection, user: "only_reader", password: "reads" };
  expect(await collect(exportVehicles(reader, { schema }))).toHaveLength(3);
});
