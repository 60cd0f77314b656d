import type { Client } from "pg";

/**
 * Whether a schema has a table or an index of this name, as the statement sees it: `to_regclass` may go by what the session has looked up
 * before it waited for a lock.
 */
export async function exists(client: Client, schema: string, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2",
    [schema, name],
  );
  return rowCount !== 0;
}
