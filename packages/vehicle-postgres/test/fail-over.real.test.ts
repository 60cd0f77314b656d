import { createVehicleRouter } from "@wye/vehicle-catalogue/server";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  createDirectCatalogue,
  createPostgresCatalogue,
  importVehicles,
  migrate,
  type PostgresConnection,
} from "../src/index.js";
import { fleet } from "./fleet.js";
import { pgBouncer } from "./pgbouncer.js";
import { type PostgresServer, startPostgres, startStandby } from "./postgres-server.js";
import { until } from "./real-database.js";
import { tcpProxy } from "./tcp-proxy.js";

/** A server, its standby, and an address that leads to whichever of them is in charge. */
async function pair() {
  const primary = await startPostgres();
  onTestFinished(() => primary.remove());
  const standby = await startStandby(primary);
  onTestFinished(() => standby.remove());
  const { host, port } = primary.connection;
  const target = { host, port };
  const way = await tcpProxy(target);
  onTestFinished(() => way.close());
  return {
    primary,
    standby,
    connection: { ...primary.connection, port: way.port },
    /** Has the standby know all that was written. */
    async catchUp(): Promise<void> {
      await until(async () => {
        const behind = "select from pg_stat_replication where replay_lsn >= pg_current_wal_lsn()";
        expect(await primary.sql(behind)).toHaveLength(1);
      });
    },
    /** Has the standby learn of nothing any more. */
    async part(): Promise<void> {
      await standby.sql("alter system set primary_conninfo = ''");
      await standby.sql("select pg_reload_conf()");
      await until(async () => expect(await primary.sql("select from pg_stat_replication")).toEqual([]));
    },
    /** Ends the server without a goodbye. */
    async fail(): Promise<void> {
      way.cut();
      await primary.kill();
    },
    /** Puts the standby in charge. */
    async takeOver(): Promise<void> {
      expect(await standby.sql("select pg_promote() as done")).toEqual([{ done: true }]);
      target.port = standby.connection.port;
      way.restore();
    },
  };
}

const keys = [
  { key: "all", groups: ["ReadVehicles", "ReadVehiclesFull"] as const },
  { key: "less", groups: ["ReadVehicles"] as const },
];
const urls = ["/v2/vehicles", "/v2/vehicles?filter[manufacturer.id]=brand-1", "/v2/vehicle_brands"];

/** How long a busy machine may take to answer. */
const timeoutMs = 60_000;

const all200 = new Set([200]);

/** Changes some vehicles and a brand, in two transactions. */
async function write({ sql }: PostgresServer, name: string): Promise<void> {
  await sql(
    `update vehicle_catalogue.vehicles set attributes = attributes || jsonb_build_object('model', $1::text)
      where id in (select id from vehicle_catalogue.vehicles order by md5(id || $1) limit 3)`,
    [name],
  );
  await sql("update vehicle_catalogue.brands set name = $1 where id = 'brand-1'", [name]);
}

const ways = [
  { name: "its address", pooled: async (connection: PostgresConnection) => connection, missing: undefined },
  {
    name: "PgBouncer",
    async pooled(connection: PostgresConnection & { readonly host: string; readonly port: number }) {
      const pooler = await pgBouncer({ connection }, 3);
      onTestFinished(() => pooler.close());
      return pooler.connection;
    },
    missing: process.env.WYE_WITHOUT_PGBOUNCER,
  },
];

for (const { name, pooled, missing } of ways) {
  describe.skipIf(missing !== undefined)(`a standby that takes over behind ${name}`, () => {
    test.each([
      { what: "with all that was written", isLost: false },
      { what: "without the last transactions", isLost: true },
    ])("$what is followed, and no tag stands for two documents", async ({ isLost }) => {
      const { primary, standby, connection, ...servers } = await pair();
      await migrate(connection, { trigrams: true });
      await importVehicles(connection, fleet(30));
      const between = await pooled(connection);
      const followers = [connection, between].map((one) =>
        createPostgresCatalogue({ connection: one, pollMs: 100, leastShare: 0 }),
      );
      const catalogues = [
        ...followers,
        createDirectCatalogue({ connection: between, connections: 2, timeoutMs }),
      ];
      onTestFinished(async () => void (await Promise.all(catalogues.map((one) => one.close()))));
      const routers = catalogues.map((catalogue) => createVehicleRouter({ catalogue, keys, timeoutMs }));
      const documents = new Map<string, string>();
      /** Asks everybody for everything. A tag that stood for something else before is a fault. */
      const ask = async (asked = routers): Promise<ReadonlySet<number>> => {
        const statuses = new Set<number>();
        for (const { respond } of asked) {
          for (const url of urls) {
            for (const { key } of keys) {
              const headers = new Headers({ "api-key": key });
              const { status, headers: answered, body } = await respond({ method: "GET", url, headers });
              statuses.add(status);
              if (status !== 200) continue;
              const tag = `${url} ${answered.ETag}`;
              const text = new TextDecoder().decode(body);
              expect([tag, documents.get(tag) ?? text]).toEqual([tag, text]);
              documents.set(tag, text);
            }
          }
        }
        return statuses;
      };
      /** Who asks while nobody is in charge is refused. */
      const refreshed = (): Promise<unknown> =>
        Promise.all(followers.map((one) => until(() => one.refresh())));
      const versions = (): Promise<readonly string[]> =>
        Promise.all(followers.map(async (one) => (await one.snapshot()).version));

      for (const word of ["a", "b"]) {
        await write(primary, word);
        await refreshed();
        expect(await ask()).toEqual(all200);
      }
      if (!isLost) await write(primary, "last");
      await servers.catchUp();
      await servers.part();
      if (isLost) await write(primary, "lost");
      await refreshed();
      await ask();
      const [before] = await versions();
      await servers.fail();
      // Memory serves on.
      expect(await ask(routers.slice(0, 2))).toEqual(all200);
      await servers.takeOver();
      await refreshed();
      const [after] = await versions();
      expect(after === before).toBe(!isLost);
      await until(async () => expect(await ask()).toEqual(all200));
      for (const word of ["lost", "c"]) {
        await write(standby, word);
        await refreshed();
        await ask();
      }
      const late = createPostgresCatalogue({ connection: standby.connection });
      onTestFinished(() => late.close());
      await late.ready();
      const { version } = await late.snapshot();
      expect(await versions()).toEqual([version, version]);
      expect(followers.map((one) => one.health().state)).toEqual(["live", "live"]);
    });
  });
}
