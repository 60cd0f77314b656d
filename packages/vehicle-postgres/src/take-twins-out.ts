import type { Client } from "pg";

/**
 * Takes vehicles out of what came whose ids, or whose brands' ids, PostgreSQL takes for those of others, although JavaScript
 * tells them apart: it folds letters by the locale of the database. The first stays. Resolves to the ids of those taken out.
 */
export async function takeTwinsOut(client: Client): Promise<readonly string[]> {
  const { rows: brands } = await client.query<{ id: string }>(`delete from incoming_brands b
    using (select ctid, row_number() over (partition by lower(id) order by ctid) as place from incoming_brands) as twin
    where b.ctid = twin.ctid and twin.place > 1 returning b.id`);
  const { rows } = await client.query<{ id: string }>(
    `delete from incoming_vehicles v
      using (select ctid, row_number() over (partition by lower(id) order by ctid) as place from incoming_vehicles) as twin
      where v.ctid = twin.ctid and (twin.place > 1 or v.brand_id = any($1)) returning v.id`,
    [brands.map(({ id }) => id)],
  );
  return rows.map(({ id }) => id);
}
