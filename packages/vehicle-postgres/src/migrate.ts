import { readdir, readFile } from "node:fs/promises";
import { CatalogueError } from "@wye/vehicle-catalogue/server";
import type { Client } from "pg";
import { checkMembers, type Members, shown } from "./check-members.js";
import type { PostgresConnection } from "./client-config.js";
import { withConnection } from "./connection.js";
import { databaseFailure } from "./database-failure.js";
import { exists } from "./exists.js";
import { checkSchema, defaultSchema } from "./schema-name.js";
import { inTransaction } from "./transaction.js";
import { makeTrigrams } from "./trigrams.js";

/** How the schema is brought up to date. */
export interface MigrateOptions {
  /** The schema that holds the tables; made when it is not there. Default: `vehicle_catalogue`. */
  readonly schema?: string;
  /** Also make what the search of the catalogue without memory needs: the extension `pg_trgm` and an index. */
  readonly trigrams?: boolean;
  /** Stop after this migration. Default: the newest. */
  readonly upTo?: number;
  /** How long one statement may take, the wait for others that migrate included. Default: ten minutes. */
  readonly timeoutMs?: number;
}

/** One numbered file of SQL. */
interface Migration {
  readonly number: number;
  readonly name: string;
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
  const wanted = (await listMigrations()).filter(({ number }) => number <= upTo);
  return withConnection(connection, timeoutMs, async (client) => {
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [
      `@wye/vehicle-postgres ${schema}`,
    ]);
    const done = await begin(client, schema);
    const missing = wanted.filter(({ number }) => !done.has(number));
    for (const migration of missing) await apply(client, { schema, timeoutMs }, migration);
    if (trigrams) await makeTrigrams(client, schema);
    return missing.map(({ number }) => number);
  });
}

/** The number of the newest migration that this package knows. */
export async function newestMigration(): Promise<number> {
  return Math.max(...(await listMigrations()).map(({ number }) => number));
}

async function listMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.sql$/.test(name)).sort();
  return names.map((name) => ({ number: Number.parseInt(name, 10), name }));
}

async function sqlOf(name: string): Promise<string> {
  return readFile(new URL(name, folder), "utf8");
}

/** Makes the schema and the list of what was applied; returns that list. */
async function begin(client: Client, schema: string): Promise<ReadonlySet<number>> {
  // Only asked for when it is not there: a role that may not make schemas can still use one that was made for it.
  const { rowCount } = await client.query("select from pg_namespace where nspname = $1", [schema]);
  if (rowCount === 0) await client.query(`create schema ${schema}`);
  // A server that may only be read refuses even to make what is there.
  if (!(await exists(client, `${schema}.migrations`))) {
    await client.query(
      `create table if not exists ${schema}.migrations (
        number integer primary key, name text not null, applied_at timestamptz not null default now())`,
    );
  }
  const { rows } = await client.query<{ number: number }>(`select number from ${schema}.migrations`);
  return new Set(rows.map(({ number }) => number));
}

async function apply(
  client: Client,
  { schema, timeoutMs }: Required<Pick<MigrateOptions, "schema" | "timeoutMs">>,
  { number, name }: Migration,
): Promise<void> {
  try {
    await inTransaction(client, schema, "write", async () => {
      await client.query(await sqlOf(name));
      await client.query("insert into migrations (number, name) values ($1, $2)", [number, name]);
    });
  } catch (cause) {
    const failure = databaseFailure(cause, timeoutMs);
    if (!(failure instanceof CatalogueError)) throw failure;
    const message = `migration ${name} of the schema ${schema} failed: ${failure.message}`;
    throw new CatalogueError(failure.code, message, { cause });
  }
}
