import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDirectCatalogue, exportVehicles, importVehicles, migrate } from "../src/index.js";
import { fleet } from "./fleet.js";
import { collect, countOf, realDatabase, until } from "./real-database.js";

const database = realDatabase();
const newest = 6;

/** How many wait for a table that others hold. */
async function waitingFor(table: string): Promise<number> {
  const { sql } = database.server;
  return (await sql("select from pg_locks where not granted and relation = $1::regclass", [table])).length;
}

describe("migrate", () => {
  test("makes an empty schema whole, and then has nothing to do", async () => {
    const { connection } = database.server;
    expect(await migrate(connection, { schema: "fresh" })).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await migrate(connection, { schema: "fresh" })).toEqual([]);
    expect(await migrate(connection, { schema: "fresh", trigrams: true })).toEqual([]);
  });

  test("makes what is searched as soon as there is a column for it", async () => {
    const { connection } = database.server;
    const options = { schema: "third", trigrams: true };
    expect(await migrate(connection, { ...options, upTo: 3 })).toEqual([1, 2, 3]);
    expect(await migrate(connection, options)).toEqual([4, 5, 6]);
  });

  test("takes the extension for searches from where it is", async () => {
    const { connection, sql } = database.server;
    await sql("create database hosted");
    const hosted = { ...connection, database: "hosted" };
    const owner = new pg.Client(hosted);
    await owner.connect();
    await owner.query(`create schema "Ext"; create extension pg_trgm schema "Ext"; drop schema public;
      alter database hosted set search_path = ''`);
    await owner.end();
    await migrate(hosted, { trigrams: true });
    await importVehicles(hosted, fleet(3));
    const catalogue = createDirectCatalogue({ connection: hosted });
    const text = fleet(3)[0]!.model;
    const snapshot = await catalogue.snapshot();
    expect((await snapshot.search({ text, offset: 0, limit: 5 })).vehicles.length).toBeGreaterThan(0);
    await catalogue.close();
    await sql("drop database hosted with (force)");
  });

  test("may be run by many at once", async () => {
    const { connection } = database.server;
    const runs = await Promise.all(Array.from({ length: 6 }, () => migrate(connection, { schema: "crowd" })));
    expect(runs.flat().sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("waits for others as long as it is told, whatever patience the database has", async () => {
    const { connection, sql } = database.server;
    await sql("create database impatient");
    const impatient = { ...connection, database: "impatient" };
    await migrate(impatient, { upTo: 5 });
    const holder = new pg.Client(impatient);
    await holder.connect();
    onTestFinished(() => holder.end());
    // What waits for a place behind others would be given up at once.
    await holder.query("alter database impatient set lock_timeout = '1ms'");
    await holder.query("set lock_timeout = 0; begin; select token from vehicle_catalogue.catalogue_version");
    const waiting = async (type: string): Promise<number> => {
      const query = "select from pg_locks where not granted and locktype = $1";
      return (await holder.query(query, [type])).rows.length;
    };
    const caught = (error: unknown): unknown => error;
    const first = migrate(impatient).catch(caught);
    await until(async () => expect(await waiting("relation")).toBe(1));
    const second = migrate(impatient).catch(caught);
    await Promise.race([second, until(async () => expect(await waiting("advisory")).toBe(1))]);
    await holder.query("commit");
    expect(await Promise.all([first, second])).toEqual([[6], []]);
    await holder.query("begin; update vehicle_catalogue.vehicles set id = id where false");
    const imported = importVehicles(impatient, fleet(3)).catch(caught);
    await Promise.race([imported, until(async () => expect(await waiting("transactionid")).toBe(1))]);
    await holder.query("commit");
    expect(await imported).toMatchObject({ added: 3 });
  });

  for (let from = 1; from < newest; from++) {
    test(`brings a schema with data from migration ${from} to the newest`, async () => {
      const { connection, sql } = database.server;
      const schema = `from_${from}`;
      expect(await migrate(connection, { schema, upTo: from })).toHaveLength(from);
      const catalogue = database.follow(schema);
      await expect(catalogue.refresh()).rejects.toThrow(
        `is at migration ${from} of ${newest}: run migrate()`,
      );
      const vehicles = fleet(5);
      for (const { id, type, manufacturer, ...attributes } of vehicles) {
        await sql(`insert into ${schema}.brands values ($1, $2) on conflict do nothing`, [
          manufacturer.id,
          manufacturer.name,
        ]);
        await sql(
          `insert into ${schema}.vehicles (id, type, brand_id, attributes, sort_key) values ($1, $2, $3, $4, $1)`,
          [id, type, manufacturer.id, JSON.stringify(attributes)],
        );
      }
      expect(await migrate(connection, { schema })).toHaveLength(newest - from);
      // A try that began between two migrations fails for whoever asks meanwhile.
      await until(() => catalogue.refresh());
      expect(await countOf(catalogue)).toBe(5);
      // The next import makes exact what SQL could only guess: order and search text.
      const report = await importVehicles(connection, vehicles, { schema });
      expect(report).toMatchObject({ added: 0, changed: 5, removed: 0 });
      const exported = await collect(exportVehicles(connection, { schema }));
      expect(exported).toEqual(expect.arrayContaining([...vehicles]));
    });
  }

  test("lets readers pass while somebody holds what it changes", async () => {
    const { connection, sql } = database.server;
    await migrate(connection, { schema: "held", upTo: 5 });
    const holder = new pg.Client(connection);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("begin; select token from held.catalogue_version");
    const migrated = migrate(connection, { schema: "held" });
    await until(async () => expect(await waitingFor("held.catalogue_version")).toBe(1));
    // They wait behind it, and not for the holder.
    expect(
      await sql("set statement_timeout = '60s'; select token from held.catalogue_version").catch(
        (error: unknown) => error,
      ),
    ).not.toBeInstanceOf(Error);
    await holder.query("commit");
    expect(await migrated).toEqual([6]);
  });

  test("lets writers pass while somebody holds what is to be searched", async () => {
    const { connection, sql } = database.server;
    await migrate(connection, { schema: "vacuumed" });
    const holder = new pg.Client(connection);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("begin; lock table vacuumed.vehicles in share update exclusive mode");
    const migrated = migrate(connection, { schema: "vacuumed", trigrams: true });
    await until(async () => expect(await waitingFor("vacuumed.vehicles")).toBe(1));
    expect(
      await sql("set statement_timeout = '60s'; update vacuumed.vehicles set id = id where false").catch(
        (error: unknown) => error,
      ),
    ).not.toBeInstanceOf(Error);
    await holder.query("commit");
    await migrated;
    expect(await sql("select to_regclass('vacuumed.vehicles_search_text') is null as missing")).toEqual([
      { missing: false },
    ]);
  });

  test("has nobody else wait in its place while it gives way", async () => {
    const { connection, sql } = database.server;
    await migrate(connection, { schema: "shared", upTo: 5 });
    const holder = new pg.Client(connection);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("begin; select token from shared.catalogue_version");
    const migrated = Promise.all([1, 2].map(() => migrate(connection, { schema: "shared" })));
    const waiting = (): Promise<readonly object[]> =>
      sql("select pid from pg_locks where not granted and relation = 'shared.catalogue_version'::regclass");
    const whoWaits = async (): Promise<readonly object[]> => {
      let found: readonly object[] = [];
      await until(async () => {
        found = await waiting();
        expect(found).toHaveLength(1);
      });
      return found;
    };
    const first = await whoWaits();
    await until(async () => expect(await waiting()).not.toEqual(first));
    expect(await whoWaits()).toEqual(first);
    await holder.query("commit");
    expect((await migrated).flat()).toEqual([6]);
  });

  test("tries again when somebody waits for it who holds what it waits for", async () => {
    const { connection } = database.server;
    await migrate(connection, { schema: "crossed", upTo: 1 });
    const holder = new pg.Client(connection);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("set deadlock_timeout = '60s'; begin; select from crossed.vehicles");
    const migrated = migrate(connection, { schema: "crossed" });
    await until(async () => expect(await waitingFor("crossed.vehicles")).toBe(1));
    await holder.query("select from crossed.brands");
    await holder.query("commit");
    expect(await migrated).toEqual([2, 3, 4, 5, 6]);
  });

  test("leaves nothing half done", async () => {
    const { connection, sql } = database.server;
    await migrate(connection, { schema: "halfway", upTo: 1 });
    await sql("create table halfway.catalogue_version (x int)");
    const error: unknown = await migrate(connection, { schema: "halfway" }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({ message: expect.stringContaining("0002-versions.sql") });
    expect(await sql("select number from halfway.migrations")).toEqual([{ number: 1 }]);
    await sql("drop table halfway.catalogue_version");
    expect(await migrate(connection, { schema: "halfway" })).toEqual([2, 3, 4, 5, 6]);
  });

  for (const schema of ["", "Upper", 'x"; drop schema y', "1st", "a".repeat(51)]) {
    test(`refuses the schema ${JSON.stringify(schema)}`, async () => {
      await expect(migrate(database.server.connection, { schema })).rejects.toThrow(TypeError);
    });
  }

  test("a schema of a newer package is not read", async () => {
    const { connection, sql } = database.server;
    await migrate(connection, { schema: "newer" });
    await sql("insert into newer.migrations (number, name) values (99, 'later')");
    await expect(importVehicles(connection, [], { schema: "newer" })).rejects.toThrow(
      /at migration 99.*update it/,
    );
  });
});
