import { CatalogueError } from "@wye/vehicle-catalogue/server";
import type { Client } from "pg";
import { exists } from "./exists.js";
import { newestMigration } from "./migration-list.js";

/** Which version of the data the database holds. */
export interface StoredVersion {
  /** Rises with every change, unless a backup was restored. */
  readonly number: bigint;
  /** Different for any two versions. */
  readonly token: string;
}

/** A version as one view of the data has it. */
export interface SeenVersion extends StoredVersion {
  /** Which transactions the view saw, as PostgreSQL writes it. */
  readonly view: string;
  /** When the server was asked for the view, by its own clock, in milliseconds since 1970: what the view lacks was committed later. */
  readonly askedAt: number;
}

/** Reads the version row, and whether what is held is one of those that led to it. */
export async function readLineage(
  client: Client,
  schema: string,
  held: StoredVersion | undefined,
): Promise<SeenVersion & { readonly follows: boolean }> {
  const { rows } = await client.query<{
    number: string;
    token: string;
    view: string;
    askedAt: number;
    follows: boolean;
  }>(
    `select number, token, pg_current_snapshot()::text as view,
        floor(extract(epoch from statement_timestamp()) * 1000)::float8 as "askedAt", exists(select from ${schema}.lineage l where l.number = $1 and l.token = $2) as follows
      from ${schema}.catalogue_version`,
    [held?.number.toString() ?? null, held?.token ?? null],
  );
  const [row] = rows;
  if (row === undefined) throw new CatalogueError("refused", `${schema}.catalogue_version has lost its row`);
  return { ...row, number: BigInt(row.number) };
}

/** Reads the version row; one row of one page, so it may be asked for often. */
export async function readVersion(client: Client, schema: string): Promise<StoredVersion> {
  const { rows } = await client.query<{ number: string; token: string }>(
    `select number, token from ${schema}.catalogue_version`,
  );
  const [row] = rows;
  if (row === undefined) throw new CatalogueError("refused", `${schema}.catalogue_version has lost its row`);
  return { number: BigInt(row.number), token: row.token };
}

/** Throws unless the tables are those that this version of the package knows. */
export async function checkMigrated(client: Client, schema: string): Promise<void> {
  if (!(await exists(client, schema, "migrations"))) {
    throw new CatalogueError("refused", `there is no catalogue in the schema ${schema}: run migrate() first`);
  }
  const applied = await client.query<{ newest: number | null }>(
    `select max(number) as newest from ${schema}.migrations`,
  );
  const newest = applied.rows[0]?.newest ?? 0;
  if (newest < newestMigration) {
    const message = `the schema ${schema} is at migration ${newest} of ${newestMigration}: run migrate() first`;
    throw new CatalogueError("refused", message);
  }
  if (newest > newestMigration) {
    const message = `the schema ${schema} is at migration ${newest}, and this package knows ${newestMigration}: update it`;
    throw new CatalogueError("refused", message);
  }
}
