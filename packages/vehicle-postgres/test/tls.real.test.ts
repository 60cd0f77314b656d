import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDirectCatalogue, migrate, type PostgresConnection } from "../src/index.js";
import { fleet } from "./fleet.js";
import { makeAuthority, type PostgresServer } from "./postgres-server.js";
import { countOf, realDatabase, until } from "./real-database.js";

const database = realDatabase();

/** The connection by the name that the certificate has, as one object and as a URL. */
function byName({ connection }: PostgresServer, ssl?: PostgresConnection["ssl"]): PostgresConnection {
  return { ...connection, host: "localhost", ...(ssl !== undefined && { ssl }) };
}

function byUrl({ connection: { port, user, password } }: PostgresServer, query: string): PostgresConnection {
  const secret = encodeURIComponent(String(password));
  return { connectionString: `postgres://${user}:${secret}@localhost:${port}/postgres?${query}` };
}

const read = (file: string): string => readFileSync(file, "utf8");

/** An authority that does not vouch for the server. */
function stranger(): string {
  const folder = mkdtempSync(join(tmpdir(), "wye-authority-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return makeAuthority(folder);
}

type Way = readonly [name: string, connection: (server: PostgresServer) => PostgresConnection];

describe("TLS is spoken with a server whose certificate", () => {
  test.each<Way>([
    ["an authority of one's own vouches for", (server) => byName(server, { ca: read(server.authority) })],
    ["a file vouches for that the URL names", (server) => byUrl(server, `sslrootcert=${server.authority}`)],
    [
      "is checked for sslmode=require",
      (server) => byUrl(server, `sslmode=require&sslrootcert=${server.authority}`),
    ],
    [
      "is checked for sslmode=verify-full",
      (server) => byUrl(server, `sslmode=verify-full&sslrootcert=${server.authority}`),
    ],
    ["is not to be checked", (server) => byName(server, { rejectUnauthorized: false })],
    ["is not to be checked, says the URL", (server) => byUrl(server, "sslmode=no-verify")],
    ["is not checked by libpq either", (server) => byUrl(server, "uselibpqcompat=true&sslmode=require")],
  ])("%s", async (_, way) => {
    const { server } = database;
    const schema = await database.schemaWith(fleet(3));
    const connection = way(server);
    expect(await migrate(connection, { schema })).toEqual([]);
    const catalogue = database.follow(schema, { connection });
    await catalogue.ready();
    const direct = createDirectCatalogue({ connection, schema });
    onTestFinished(() => direct.close());
    expect([await countOf(catalogue), await countOf(direct)]).toEqual([3, 3]);
    const ours = await server.sql(`select ssl from pg_stat_ssl join pg_stat_activity using (pid)
      where application_name = '@wye/vehicle-postgres'`);
    expect([ours.length > 0, ours.every(({ ssl }) => ssl === true)]).toEqual([true, true]);
  });
});

const nobodyVouches = /certificate: nobody who is trusted vouches .*connection\.ssl\.ca.*sslrootcert/;

describe("a server is refused, with the remedy,", () => {
  const ways: readonly (readonly [...Way, RegExp])[] = [
    ["for which nobody vouches", (server) => byName(server, true), nobodyVouches],
    [
      "for which another authority vouches",
      (server) => byName(server, { ca: read(stranger()) }),
      nobodyVouches,
    ],
    ["for which nobody vouches, by a URL", (server) => byUrl(server, "sslmode=require"), nobodyVouches],
    [
      "for which another file vouches",
      (server) => byUrl(server, `sslmode=verify-full&sslrootcert=${stranger()}`),
      nobodyVouches,
    ],
    [
      "that has another name",
      (server) => ({ ...server.connection, ssl: { ca: read(server.authority) } }),
      /127\.0\.0\.1.*is for another name; connect by a name that it has/,
    ],
    [
      "whose authority is in no file",
      (server) => byUrl(server, "sslrootcert=/nowhere/authority.crt"),
      /ENOENT.*\/nowhere\/authority\.crt.*a file that this process can read/,
    ],
  ];
  test.each(ways)("%s", async (_, way, message) => {
    const { server } = database;
    const connection = way(server);
    await expect(migrate(connection)).rejects.toMatchObject({
      name: "CatalogueError",
      code: "refused",
      message: expect.stringMatching(message),
    });
    const catalogue = database.follow("s", { connection });
    await until(() => expect(catalogue.health().problem).toMatch(message));
    const direct = createDirectCatalogue({ connection });
    onTestFinished(() => direct.close());
    await expect(countOf(direct)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(message),
    });
  });
});

test("a server that only takes TLS says so, and one that has none", async () => {
  const { server } = database;
  await server.sql("create role picky login password 'picky'");
  const hba = String((await server.sql("show hba_file"))[0]?.hba_file);
  const rules = read(hba);
  writeFileSync(hba, `hostnossl all picky all reject\n${rules}`);
  await server.sql("select pg_reload_conf()");
  const picky = { ...byName(server), user: "picky", password: "picky" };
  await until(() =>
    expect(migrate(picky)).rejects.toMatchObject({
      code: "refused",
      message: expect.stringMatching(/no encryption: .*set connection\.ssl, or sslmode=verify-full/),
    }),
  );
  await server.sql("alter system set ssl = off");
  await server.sql("select pg_reload_conf()");
  await until(() =>
    expect(migrate(byName(server, true))).rejects.toMatchObject({
      code: "refused",
      message: expect.stringMatching(/does not support SSL.*: switch it on there \(ssl = on\), or leave ssl/),
    }),
  );
});
