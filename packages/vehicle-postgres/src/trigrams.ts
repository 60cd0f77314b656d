import type { Client } from "pg";
import { exists } from "./exists.js";
import { givingWay } from "./giving-way.js";
import { lockMigrations } from "./migration-lock.js";
import { inTransaction, type Place } from "./transaction.js";

/** Makes what the search of the catalogue without memory needs. The extension belongs to the database, not to this schema. */
export async function makeTrigrams(client: Client, place: Place): Promise<void> {
  const { schema } = place;
  if (await inTransaction(client, place, "read", () => exists(client, schema, "vehicles_search_text")))
    return;
  const end = performance.now() + place.timeoutMs;
  await inTransaction(client, place, "write", async () => {
    // The extension is made once for all schemas, none of which has this name.
    await lockMigrations(client, "pg_trgm");
    if (await exists(client, schema, "vehicles_search_text")) return;
    const { rowCount } = await client.query("select from pg_namespace where nspname = 'public'");
    // It stays where it is, if it is there already.
    await client.query(`create extension if not exists pg_trgm schema ${rowCount === 0 ? schema : "public"}`);
    const { rows: found } = await client.query<{ schema: string }>(whereTrigramsAre);
    for (const { schema: home } of found) {
      const index = `create index vehicles_search_text on vehicles using gin (search_text ${home}.gin_trgm_ops)`;
      await givingWay(client, end, () => client.query(index));
    }
  });
}

/** Asks where the extension is, quoted: hosts have schemas of their own for those. */
export const whereTrigramsAre = `select quote_ident(n.nspname) as schema
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'`;
