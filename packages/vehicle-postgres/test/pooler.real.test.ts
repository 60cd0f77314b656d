import { describe, expect, onTestFinished, test } from "vitest";
import {
  createDirectCatalogue,
  exportVehicles,
  importVehicles,
  migrate,
  type PostgresConnection,
} from "../src/index.js";
import { migrations } from "../src/migration-list.js";
import { fleet } from "./fleet.js";
import { pgBouncer } from "./pgbouncer.js";
import { collect, countOf, realDatabase, until } from "./real-database.js";
import { transactionPooler } from "./transaction-pooler.js";

const database = realDatabase();

/** What sessions still hold or wait for when nobody asks anything. */
const locks = () => database.server.sql("select granted, objid from pg_locks where locktype = 'advisory'");

const poolers = [
  { name: "a pooler that hands sessions round", tag: "pooled", start: transactionPooler, missing: undefined },
  {
    name: "PgBouncer in the mode of transactions",
    tag: "bounced",
    start: pgBouncer,
    missing: process.env.WYE_WITHOUT_PGBOUNCER,
  },
];

for (const { name, tag, start, missing } of poolers) {
  describe.skipIf(missing !== undefined)(
    `behind ${name}${missing === undefined ? "" : `: ${missing}`}`,
    () => {
      const pooled = async (sessions: number): Promise<PostgresConnection> => {
        const pooler = await start(database.server, sessions);
        onTestFinished(() => pooler.close());
        return pooler.connection;
      };

      test("many may migrate at once, and leave no lock on any session", async () => {
        const connection = await pooled(2);
        for (const schema of [`${tag}_a`, `${tag}_b`]) {
          const runs = await Promise.all(
            Array.from({ length: 6 }, () => migrate(connection, { schema, trigrams: true })),
          );
          expect(runs.flat().sort()).toEqual([1, 2, 3, 4, 5, 6]);
          expect(await locks()).toEqual([]);
        }
        expect(await migrate(connection, { schema: `${tag}_a`, trigrams: true })).toEqual([]);
      });

      test("all works as it does without one", async () => {
        const connection = await pooled(2);
        const schema = `${tag}_c`;
        await migrate(connection, { schema, trigrams: true });
        const imports = [importVehicles(connection, fleet(30), { schema }), migrate(connection, { schema })];
        await Promise.all(imports);
        const catalogue = database.follow(schema, { connection, pollMs: 20 });
        await catalogue.ready();
        const direct = createDirectCatalogue({ connection, schema, connections: 4 });
        onTestFinished(() => direct.close());
        await importVehicles(connection, fleet(31), { schema });
        await until(async () => expect(await countOf(catalogue)).toBe(31));
        const counts = await Promise.all(Array.from({ length: 8 }, () => countOf(direct)));
        expect(counts).toEqual(Array.from({ length: 8 }, () => 31));
        const text = fleet(1)[0]?.model ?? "";
        const found = await (await direct.snapshot()).search({ text, offset: 0, limit: 5 });
        expect(found.overallCount).toBeGreaterThan(0);
        expect(await collect(exportVehicles(connection, { schema }))).toHaveLength(31);
        expect(await locks()).toEqual([]);
      });
    },
  );
}

const missing = process.env.WYE_WITHOUT_PGBOUNCER;
test.skipIf(missing !== undefined)(
  `PgBouncer in the mode of statements is refused, and everybody says why${missing === undefined ? "" : `: ${missing}`}`,
  async () => {
    const schema = "by_statement";
    await migrate(database.server.connection, { schema });
    const pooler = await pgBouncer(database.server, 2, "statement");
    onTestFinished(() => pooler.close());
    const { connection } = pooler;
    const direct = createDirectCatalogue({ connection, schema });
    onTestFinished(() => direct.close());
    const tasks = {
      migrate: () => migrate(connection, { schema: "by_statement_new" }),
      import: () => importVehicles(connection, fleet(1), { schema }),
      export: () => collect(exportVehicles(connection, { schema })),
      follow: () => database.follow(schema, { connection }).refresh(),
      direct: () => countOf(direct),
    };
    for (const [name, task] of Object.entries(tasks)) {
      const outcome = await task().then(String, ({ code, message }) => ({ name, code, message }));
      const message = expect.stringMatching(
        /transaction blocks not allowed .*: the pooler .* whole transactions/,
      );
      expect(outcome).toEqual({ name, code: name === "direct" ? "unavailable" : "refused", message });
    }
  },
);

describe("migrate", () => {
  test("waits for nobody where there is nothing to do", async () => {
    const { connection, sql } = database.server;
    await migrate(connection, { schema: "whole", trigrams: true });
    const lock = (what: string) =>
      `pg_advisory_xact_lock(hashtextextended('@wye/vehicle-postgres ${what}', 0))`;
    const holding = sql(`select ${lock("whole")}, ${lock("pg_trgm")}, pg_sleep(600)`);
    const gone = expect(holding).rejects.toThrow(/terminating/);
    await until(async () => expect(await locks()).toHaveLength(2));
    expect(await migrate(connection, { schema: "whole", trigrams: true })).toEqual([]);
    await sql("select distinct pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
    await gone;
  });

  test("may be run by many at once for several schemas, whatever isolation is the default", async () => {
    const { connection, sql } = database.server;
    for (const isolation of ["read committed", "repeatable read", "serializable"]) {
      const name = `many_${isolation.replace(" ", "_")}`;
      await sql(`create database ${name}`);
      await sql(`alter database ${name} set default_transaction_isolation = '${isolation}'`);
      const own = { ...connection, database: name };
      const schemas = ["one", "two", "three"];
      const runs = await Promise.all(
        [...schemas, ...schemas, ...schemas].map((schema) => migrate(own, { schema, trigrams: true })),
      );
      expect([isolation, runs.flat().sort()]).toEqual([
        isolation,
        migrations.flatMap(({ number }) => [number, number, number]),
      ]);
      const imports = [10, 11, 12, 13].map((count) =>
        importVehicles(own, fleet(count), { schema: "one", mode: "merge" }),
      );
      const reports = await Promise.all(imports);
      expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(13);
      await sql(`drop database ${name} with (force)`);
    }
  });
});
