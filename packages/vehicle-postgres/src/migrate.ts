import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CatalogueError } from "@wye/vehicle-catalogue/server";
import type { Client } from "pg";
import { checkMembers, type Members, shown } from "./check-members.js";
import type { PostgresConnection } from "./client-config.js";
import { withConnection } from "./connection.js";
import { databaseFailure } from "./database-failure.js";
import { exists } from "./exists.js";
import { givingWay } from "./giving-way.js";
import { type Migration, migrations, searchTextMigration } from "./migration-list.js";
import { lockMigrations } from "./migration-lock.js";
import { checkSchema, defaultSchema } from "./schema-name.js";
import { inTransaction, type Place } from "./transaction.js";
import { makeTrigrams } from "./trigrams.js";

/** How the schema is brought up to date. */
export interface MigrateOptions {
  /** The schema that holds the tables; made when it is not there. Default: `vehicle_catalogue`. */
  readonly schema?: string;
  /** Also make what the search of the catalogue without memory needs: the extension `pg_trgm` and an index. */
  readonly trigrams?: boolean;
  /** Stop after this migration; `trigrams` needs the third. Default: the newest. */
  readonly upTo?: number;
  /** How long one statement may take, and the wait for others that migrate or hold a table. Default: ten minutes. */
  readonly timeoutMs?: number;
}

const folder = new URL("./migrations/", import.meta.url);

const members: Members<MigrateOptions> = { schema: 1, trigrams: "true or false", upTo: 1, timeoutMs: 1 };

/**
 * Applies the migrations that were not applied yet, in order, each in a transaction of its own. Any number of programs
 * may do so at the same time: one does, the others wait. Returns the numbers of those that were applied now.
 */
export async function migrate(
  connection: PostgresConnection,
  options: MigrateOptions = {},
): Promise<readonly number[]> {
  checkMembers("migrate", options, members);
  const { schema = defaultSchema, trigrams = false, timeoutMs = 600_000 } = options;
  const { upTo = Number.POSITIVE_INFINITY } = options;
  checkSchema(schema);
  if (!(upTo === Number.POSITIVE_INFINITY || (Number.isInteger(upTo) && upTo >= 0))) {
    throw new TypeError(`upTo must be the number of a migration; got ${shown(upTo)}`);
  }
  if (trigrams && upTo < searchTextMigration) {
    throw new TypeError(
      `trigrams are of what migration ${searchTextMigration} adds: upTo must be at least that, or left out; got ${shown(upTo)}`,
    );
  }
  const wanted = migrations.filter(({ number }) => number <= upTo);
  const place: Place = { schema, timeoutMs };
  return withConnection(connection, timeoutMs, async (client) => {
    const done = await inTransaction(client, place, "read", () => listApplied(client, schema));
    const applied: number[] = [];
    for (const migration of wanted.filter(({ number }) => !done.has(number))) {
      if (await apply(client, place, migration)) applied.push(migration.number);
    }
    if (trigrams) await makeTrigrams(client, place);
    return applied;
  });
}

/** A bundler takes no files of SQL along. */
async function sqlOf(name: string): Promise<string> {
  const file = new URL(name, folder);
  return readFile(file, "utf8").catch((cause: unknown) => {
    const message = `${fileURLToPath(file)} cannot be read: migrate() needs the package as it was installed; where programs are bundled, leave @wye/vehicle-postgres out of the bundle (external), or migrate elsewhere`;
    throw new CatalogueError("refused", message, { cause });
  });
}

/** The numbers of the migrations that were applied. */
async function listApplied(client: Client, schema: string): Promise<ReadonlySet<number>> {
  if (!(await exists(client, schema, "migrations"))) return new Set();
  const { rows } = await client.query<{ number: number }>(`select number from ${schema}.migrations`);
  return new Set(rows.map(({ number }) => number));
}

/** Makes the schema and the list of what was applied, where they are not there. */
async function makeList(client: Client, schema: string): Promise<void> {
  // Only asked for when it is not there: a role that may not make schemas can still use one that was made for it.
  const { rowCount } = await client.query("select from pg_namespace where nspname = $1", [schema]);
  if (rowCount === 0) await client.query(`create schema ${schema}`);
  await client.query(
    `create table if not exists ${schema}.migrations (
      number integer primary key, name text not null, applied_at timestamptz not null default now())`,
  );
}

/** Applies a migration as soon as nobody holds what it changes. */
async function apply(client: Client, place: Place, migration: Migration): Promise<boolean> {
  const end = performance.now() + place.timeoutMs;
  try {
    return await inTransaction(client, place, "write", () => applyNow(client, place, migration, end));
  } catch (cause) {
    const failure = databaseFailure(cause, place.timeoutMs);
    if (!(failure instanceof CatalogueError)) throw failure;
    const message = `migration ${migration.name} of the schema ${place.schema} failed: ${failure.message}`;
    throw new CatalogueError(failure.code, message, { cause });
  }
}

/** Applies a migration, unless somebody else has done so meanwhile. */
async function applyNow(
  client: Client,
  { schema }: Place,
  { number, name }: Migration,
  end: number,
): Promise<boolean> {
  await lockMigrations(client, schema);
  await makeList(client, schema);
  if ((await listApplied(client, schema)).has(number)) return false;
  const sql = await sqlOf(name);
  await givingWay(client, end, () => client.query(sql));
  await client.query("insert into migrations (number, name) values ($1, $2)", [number, name]);
  return true;
}
