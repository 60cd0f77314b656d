import type { Client } from "pg";

/**
 * Has others who would make the same wait until the transaction ends. A lock of the session would stay behind a pooler, on a session that
 * others get next.
 */
export async function lockMigrations(client: Client, what: string): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `@wye/vehicle-postgres ${what}`,
  ]);
}
