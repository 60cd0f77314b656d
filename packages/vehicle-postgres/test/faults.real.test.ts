import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDirectCatalogue, exportVehicles, importVehicles, migrate } from "../src/index.js";
import { fleet } from "./fleet.js";
import { countOf, realDatabase, until } from "./real-database.js";

const database = realDatabase();
const never = 2 ** 30;

describe("changes", () => {
  test("are told of: no poll is needed", async () => {
    const { connection } = database.server;
    const schema = await database.schemaWith(fleet(10));
    const catalogue = database.follow(schema, { pollMs: never });
    await catalogue.ready();
    await importVehicles(connection, fleet(12), { schema });
    await until(async () => expect(await countOf(catalogue)).toBe(12));
  });

  test("are polled for where no notification comes", async () => {
    const { connection, sql } = database.server;
    const schema = await database.schemaWith(fleet(10));
    await sql(`create or replace function ${schema}.raise_catalogue_version() returns trigger
      language plpgsql set search_path from current as $$ begin
        update ${schema}.catalogue_version set number = number + 1, token = gen_random_uuid(); return null; end $$`);
    const catalogue = database.follow(schema, { pollMs: 20 });
    await catalogue.ready();
    await importVehicles(connection, fleet(12), { schema });
    await until(async () => expect(await countOf(catalogue)).toBe(12));
  });

  const byHand = [
    { name: "an update", sql: 'update $.vehicles set attributes = attributes || \'{"model": "by hand"}\'' },
    { name: "a deletion", sql: "delete from $.vehicles where id like '00000001%'" },
    {
      name: "a deletion and an insertion in one transaction",
      sql: `begin; create temporary table kept as select * from $.vehicles where id like '00000001%';
        delete from $.vehicles where id like '00000001%'; update kept set id = 'other';
        insert into $.vehicles select * from kept; drop table kept; commit`,
    },
    { name: "a renamed brand", sql: "update $.brands set name = 'By hand'" },
    { name: "a brand in other letters", sql: "update $.brands set id = upper(id) where id like '%1'" },
    { name: "another id", sql: "update $.vehicles set id = upper(id) || 'X' where id like '00000001%'" },
    { name: "everything taken out", sql: "truncate $.vehicles" },
  ];
  for (const { name, sql } of byHand) {
    test(`by hand (${name}) reach all who follow, who then answer alike`, async () => {
      const schema = await database.schemaWith(fleet(20));
      const followers = [
        database.follow(schema, { leastShare: 0 }),
        database.follow(schema, { leastShare: 0 }),
      ];
      await Promise.all(followers.map((one) => one.ready()));
      const before = (await followers[0]!.snapshot()).version;
      await database.server.sql(sql.replaceAll("$", schema));
      await Promise.all(followers.map((one) => one.refresh()));
      const late = database.follow(schema);
      await late.ready();
      const versions = await Promise.all(
        [...followers, late].map(async (one) => (await one.snapshot()).version),
      );
      expect(new Set(versions).size).toBe(1);
      expect(versions[0]).not.toBe(before);
    });
  }

  test("of vehicles that went are seen beside rows that are wrong", async () => {
    const schema = await database.schemaWith(fleet(20));
    const catalogue = database.follow(schema);
    await catalogue.ready();
    const { sql } = database.server;
    await sql(`update ${schema}.vehicles set attributes = attributes - 'model' where id like '00000001%'`);
    await catalogue.refresh();
    await sql(`delete from ${schema}.vehicles where id like '00000002%'`);
    await catalogue.refresh();
    expect(await countOf(catalogue)).toBe(18);
  });

  test("in a storm of transactions end with the last one, and are merged on the way", async () => {
    const schema = await database.schemaWith(fleet(20));
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const catalogue = database.follow(schema, { logger: { info: log, warn: log, error: log } });
    await catalogue.ready();
    const one = `update ${schema}.vehicles set attributes = attributes || jsonb_build_object('usable_battery_size', `;
    await database.server.sql(
      Array.from({ length: 300 }, (_, at) => `begin; ${one}${at}::int); commit`).join(";"),
    );
    await catalogue.refresh();
    const { vehicles } = await (await catalogue.snapshot()).find({ offset: 0, limit: 100 });
    expect(new Set(vehicles.map((vehicle) => vehicle.usable_battery_size))).toEqual(new Set([299]));
    expect(lines.length).toBeLessThan(300);
  });

  test("of which nothing is right are refused and reported; what was there stays, until it is mended", async () => {
    const schema = await database.schemaWith(fleet(5));
    const catalogue = database.follow(schema);
    await catalogue.ready();
    const spoil = (phases: number): Promise<unknown> =>
      database.server.sql(
        `update ${schema}.vehicles set attributes = attributes || '{"ac_phases": ${phases}}'`,
      );
    await spoil(9);
    await expect(catalogue.refresh()).rejects.toMatchObject({ code: "invalid_data" });
    expect(await countOf(catalogue)).toBe(5);
    expect(catalogue.health()).toMatchObject({
      state: "stale",
      problem: expect.stringContaining("ac_phases"),
    });
    await spoil(1);
    await catalogue.refresh();
    expect(catalogue.health()).toMatchObject({ state: "live", problem: undefined, vehicles: 5 });
  });

  test.each([
    ["although the number goes back", 0],
    ["although later writes have carried the number on", 3],
  ])("that a restored backup undoes are seen, %s", async (_, writes) => {
    const schema = await database.schemaWith(fleet(6));
    const { sql } = database.server;
    await sql(`create schema backup_of_it; create table backup_of_it.vehicles as table ${schema}.vehicles;
      create table backup_of_it.version as table ${schema}.catalogue_version;
      create table backup_of_it.lineage as table ${schema}.lineage`);
    onTestFinished(async () => void (await sql("drop schema backup_of_it cascade")));
    const catalogue = database.follow(schema, { pollMs: never });
    await catalogue.ready();
    const before = (await catalogue.snapshot()).version;
    await sql(`update ${schema}.vehicles set attributes = attributes || '{"model": "undone"}'
      where id = (select max(id) from ${schema}.vehicles)`);
    await catalogue.refresh();
    expect((await catalogue.snapshot()).version).not.toBe(before);
    const write = `update ${schema}.vehicles set attributes = attributes || '{"model": "written"}'
      where id = (select min(id) from ${schema}.vehicles);`;
    // All before the next look.
    await sql(`begin; set local session_replication_role = replica;
      truncate ${schema}.vehicles; insert into ${schema}.vehicles select * from backup_of_it.vehicles;
      truncate ${schema}.lineage; insert into ${schema}.lineage select * from backup_of_it.lineage;
      update ${schema}.catalogue_version v set number = b.number, token = b.token from backup_of_it.version b; set local session_replication_role = origin; ${write.repeat(writes)} commit`);
    await catalogue.refresh();
    const late = database.follow(schema);
    await late.ready();
    const [held, fresh] = await Promise.all([catalogue.snapshot(), late.snapshot()]);
    expect([await countOf(catalogue), held.version]).toEqual([6, fresh.version]);
  });
});

test("the rights to write vehicles are enough to write them", async () => {
  const { server } = database;
  const schema = await database.schemaWith(fleet(4));
  await server.sql(`create role writer login password 'writer'; grant usage on schema ${schema} to writer;
    grant select on all tables in schema ${schema} to writer;
    grant insert, update, delete on ${schema}.vehicles, ${schema}.brands to writer`);
  const catalogue = database.follow(schema, { pollMs: never });
  await catalogue.ready();
  const before = (await catalogue.snapshot()).version;
  const writer = new pg.Client({ ...server.connection, user: "writer", password: "writer" });
  await writer.connect();
  await writer.query(`update ${schema}.vehicles set attributes = attributes || '{"model": "by a writer"}'`);
  await expect(writer.query(`update ${schema}.catalogue_version set number = 1`)).rejects.toThrow(
    /permission/,
  );
  await writer.end();
  await until(async () => expect((await catalogue.snapshot()).version).not.toBe(before));
});

describe("the server", () => {
  test("is left by who waits for a lock as soon as nobody waits for the answer", async () => {
    const { server } = database;
    const schema = await database.schemaWith(fleet(4));
    const owner = new pg.Client(server.connection);
    await owner.connect();
    onTestFinished(() => owner.end());
    await owner.query(
      `begin; lock table ${schema}.vehicles, ${schema}.catalogue_version in access exclusive mode`,
    );
    const catalogue = database.follow(schema, { timeoutMs: 200 });
    await until(() => expect(catalogue.health().failures).toBeGreaterThan(5));
    expect(catalogue.health().problem).toMatch(/no answer within 200 ms .* somebody else holds a lock/);
    for (const task of [
      () => importVehicles(server.connection, fleet(5), { schema, timeoutMs: 200 }),
      () => exportVehicles(server.connection, { schema, timeoutMs: 200 }).next(),
    ]) {
      await expect(task()).rejects.toThrow(/no answer within 200 ms/);
    }
    // The one that tries at this moment is there by right.
    await until(async () => {
      const waiting = await server.sql("select from pg_stat_activity where wait_event_type = 'Lock'");
      expect(waiting.length).toBeLessThan(3);
    });
    await owner.query("commit");
    await until(() => expect(catalogue.health().state).toBe("live"));
  });

  test("says why it hung up on an export while nobody read on", async () => {
    const { server } = database;
    const schema = await database.schemaWith(fleet(1200));
    const exported = exportVehicles(server.connection, { schema });
    await exported.next();
    const idle = "from pg_stat_activity where state = 'idle in transaction'";
    await server.sql(`select pg_terminate_backend(pid) ${idle}`);
    await until(async () => expect(await server.sql(`select ${idle}`)).toEqual([]));
    const rest = async (): Promise<void> => {
      for await (const _ of exported);
    };
    await expect(rest()).rejects.toMatchObject({
      code: "unavailable",
      message: "terminating connection due to administrator command",
    });
  });

  test("may be killed and come back: memory serves meanwhile, and says so", async () => {
    const { server } = database;
    const schema = await database.schemaWith(fleet(30));
    const catalogue = database.follow(schema, { pollMs: 50 });
    await catalogue.ready();
    await server.kill();
    await until(() => expect(catalogue.health().failures).toBeGreaterThan(1));
    expect(catalogue.health()).toMatchObject({ state: "stale", vehicles: 30, problem: expect.any(String) });
    expect(await countOf(catalogue)).toBe(30);
    await expect(catalogue.refresh()).rejects.toThrow();
    await server.start();
    await importVehicles(server.connection, fleet(31), { schema });
    await until(async () => expect(await countOf(catalogue)).toBe(31));
    expect(catalogue.health()).toMatchObject({ state: "live", failures: 0, problem: undefined });
  });

  test("may be killed in the middle of a load, again and again", async () => {
    const { server } = database;
    const schema = await database.schemaWith(fleet(6000));
    const way = await database.way();
    const catalogue = database.follow(schema, { connection: { ...server.connection, port: way.port } });
    for (let round = 1; round <= 2; round++) {
      const before = way.received;
      await until(() => expect(way.received).toBeGreaterThan(before + 500_000));
      await server.kill();
      expect(catalogue.health().state).toBe("loading");
      expect(() => catalogue.snapshot()).toThrow(expect.objectContaining({ code: "unavailable" }));
      await server.start();
    }
    await catalogue.ready();
    expect(await countOf(catalogue)).toBe(6000);
  });

  test("may be killed between a change and its notification", async () => {
    const { server } = database;
    const schema = await database.schemaWith(fleet(10));
    const way = await database.way();
    const catalogue = database.follow(schema, {
      pollMs: never,
      connection: { ...server.connection, port: way.port },
    });
    await catalogue.ready();
    way.stall();
    await importVehicles(server.connection, fleet(11), { schema });
    await server.kill();
    way.restore();
    await server.start();
    await until(async () => expect(await countOf(catalogue)).toBe(11));
  });

  test("may fall silent: the connection is given up for another", async () => {
    const { server } = database;
    const schema = await database.schemaWith(fleet(10));
    const way = await database.way();
    const catalogue = database.follow(schema, {
      pollMs: 50,
      timeoutMs: 300,
      connection: { ...server.connection, port: way.port },
    });
    await catalogue.ready();
    way.stall();
    await until(() => expect(catalogue.health().state).toBe("stale"));
    expect(await countOf(catalogue)).toBe(10);
    await importVehicles(server.connection, fleet(11), { schema });
    way.restore();
    await until(async () => expect(await countOf(catalogue)).toBe(11));
    expect(catalogue.health().state).toBe("live");
  });

  test("may change the password: each new connection asks for it", async () => {
    const { server } = database;
    const schema = await database.schemaWith(fleet(10));
    await server.sql(`create role reader login password 'one'; grant usage on schema ${schema} to reader;
      grant select on all tables in schema ${schema} to reader`);
    let password = "one";
    const catalogue = database.follow(schema, {
      pollMs: 20,
      connection: { ...server.connection, user: "reader", password: async () => password },
    });
    await catalogue.ready();
    await server.sql(`alter role reader password 'two';
      select pg_terminate_backend(pid) from pg_stat_activity where usename = 'reader'`);
    await until(() => expect(catalogue.health().problem).toMatch(/password authentication failed/));
    expect(JSON.stringify(catalogue.health())).not.toMatch(/'one'|first password/);
    password = "two";
    await until(() => expect(catalogue.health().state).toBe("live"));
  });

  test.each(["\n", "\r\n"])("takes a password from a file that ends with %j", async (end) => {
    const { server } = database;
    const schema = await database.schemaWith(fleet(2));
    const text = `${server.connection.password}${end}`;
    for (const password of [text, () => text, async () => text]) {
      await database.follow(schema, { connection: { ...server.connection, password } }).ready();
      expect(await migrate({ ...server.connection, password }, { schema })).toEqual([]);
    }
    await expect(migrate({ ...server.connection, password: `${text}${end}` })).rejects.toThrow(/password/);
  });

  test("is reached by a URL", async () => {
    const { server } = database;
    const schema = await database.schemaWith(fleet(4));
    const { host, port, user } = server.connection;
    const password = encodeURIComponent(String(server.connection.password));
    const connectionString = `postgres://${user}:${password}@${host}:${port}/postgres`;
    await database.follow(schema, { connection: { connectionString } }).ready();
  });

  test("is left at once and for good by close, whatever it does", async () => {
    const { server } = database;
    const schema = await database.schemaWith(fleet(10));
    const way = await database.way();
    const connection = { ...server.connection, port: way.port };
    const live = database.follow(schema, { connection, timeoutMs: never });
    await live.ready();
    way.stall();
    const waiting = database.follow(schema, { connection, timeoutMs: never });
    const ready = waiting.ready();
    await Promise.all([live.close(), waiting.close(), live.close()]);
    await expect(ready).rejects.toMatchObject({ code: "unavailable" });
    await expect(live.refresh()).rejects.toMatchObject({ code: "unavailable" });
    expect(await countOf(live)).toBe(10);
    expect(live.health().state).toBe("closed");
  });

  test("may have no schema yet: the catalogue waits for migrate()", async () => {
    const catalogue = database.follow("not_there", { pollMs: 20 });
    await until(() =>
      expect(catalogue.health().problem).toMatch(/no catalogue in the schema not_there: run migrate/),
    );
  });

  test("a host whose logger throws is no reason to stop", async () => {
    const { server } = database;
    const boom = (): never => {
      throw new Error("the host's own");
    };
    const schema = await database.schemaWith(fleet(3));
    const catalogue = database.follow(schema, { logger: { info: boom, warn: boom, error: boom } });
    await catalogue.ready();
    onTestFinished(() => server.start());
    await server.kill();
    await until(() => expect(catalogue.health().state).toBe("stale"));
    expect(await countOf(catalogue)).toBe(3);
  });
});

test("a server that may only be read is followed, and was migrated already", async () => {
  const { server } = database;
  const schema = await database.schemaWith(fleet(10));
  const before = database.follow(schema, { pollMs: 20 });
  await before.ready();
  await server.kill();
  server.setStandby(true);
  await server.start();
  await until(() => expect(before.health().state).toBe("live"));
  const after = database.follow(schema, { pollMs: 20 });
  await after.ready();
  expect([await countOf(before), await countOf(after)]).toEqual([10, 10]);
  expect(await migrate(server.connection, { schema, trigrams: true })).toEqual([]);
  const direct = createDirectCatalogue({ connection: server.connection, schema });
  expect(await countOf(direct)).toBe(10);
  await direct.close();
  await server.kill();
  server.setStandby(false);
  await server.start();
  await importVehicles(server.connection, fleet(12), { schema });
  for (const one of [before, after]) await until(async () => expect(await countOf(one)).toBe(12));
});

test("a standby that takes over tells of changes on the connection that is there", async () => {
  const { server } = database;
  const schema = await database.schemaWith(fleet(10));
  await server.kill();
  server.setStandby(true);
  await server.start();
  // Nothing but being told brings it the change.
  const catalogue = database.follow(schema, { pollMs: Number.POSITIVE_INFINITY, timeoutMs: never });
  await catalogue.ready();
  await server.sql("select pg_promote()");
  // Finds out that the server can tell now.
  await catalogue.refresh();
  await importVehicles(server.connection, fleet(12), { schema });
  await until(async () => expect(await countOf(catalogue)).toBe(12));
});
