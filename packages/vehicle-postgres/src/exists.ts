import type { Client } from "pg";

/** Whether there is a table or an index of this name, schema and all. */
export async function exists(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>("select to_regclass($1) is not null as exists", [
    name,
  ]);
  return rows[0]?.exists === true;
}
