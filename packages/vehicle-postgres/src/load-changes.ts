import type { VehicleInput } from "@wye/vehicle-catalogue/server";
import type { Client } from "pg";
import { recordOf, type VehicleRow, vehicleColumns } from "./stored-vehicle.js";
import { readLineage, type SeenVersion } from "./stored-version.js";
import { inView, type Place } from "./transaction.js";

/** What was written after a version. */
export interface Changes {
  readonly version: SeenVersion;
  /** Whether these are all vehicles, whatever the copy has. */
  readonly isAll: boolean;
  /** The vehicles that are new or other than before. */
  readonly changed: readonly VehicleInput[];
  /** The ids of all vehicles, in small letters, where some of the copy are gone. */
  readonly remaining: ReadonlySet<string> | undefined;
  /** How many vehicles the database has. */
  readonly rows: number;
  /** Whether the database tells ids apart that are one to the catalogue. Which of them is shown must not depend on what came first. */
  readonly hasTwins: boolean;
}

/** Rows that are fetched at once: enough to keep the way busy, few enough not to hold up the event loop. */
const chunk = 500;

/**
 * Reads what was written after a version, all of it in one view of the data; everything, where the database has not come from that
 * version (a backup was restored, or another server answers), and where somebody has written past the triggers. `countWith` says how many vehicles the copy
 * has with the changes made: if the database has as many, none has gone. Undefined where the copy had not all of the
 * rows, because some were wrong: then counts say nothing.
 */
export function loadChanges(
  client: Client,
  place: Place,
  since: SeenVersion | undefined,
  countWith: (changed: readonly VehicleInput[]) => number | undefined | Promise<number | undefined>,
): Promise<Changes> {
  return inView(client, place, async () => {
    const { follows, ...version } = await readLineage(client, place.schema, since);
    // A number that does not rise is no later one, whatever a hand has made of the row.
    const known = follows && since !== undefined && version.number > since.number ? since : undefined;
    const rows = await countRows(client);
    const all = async (): Promise<Changes> => {
      const { records, hasTwins } = await readRecords(client, -1n);
      const changed = hasTwins ? records.sort(byIds) : records;
      return { version, isAll: true, changed, remaining: undefined, rows, hasTwins };
    };
    if (known === undefined || (await isWrittenPastTriggers(client, known))) return all();
    const { records: changed, hasTwins } = await readRecords(client, known.number);
    const isWhole = !hasTwins && rows === (await countWith(changed));
    const remaining = isWhole ? undefined : await readIds(client);
    if (hasTwins || (remaining !== undefined && remaining.size < rows)) return all();
    return { version, isAll: false, changed, remaining, rows, hasTwins: false };
  });
}

async function countRows(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>("select count(*) from vehicles");
  return Number(rows[0]?.count);
}

/** The vehicles that were written after a version, or whose brands were; and whether PostgreSQL tells more ids apart than JavaScript. */
async function readRecords(
  client: Client,
  after: bigint,
): Promise<{ readonly records: VehicleInput[]; readonly hasTwins: boolean }> {
  const records: VehicleInput[] = [];
  const ids = new Set<string>();
  const brands = new Map<string, string>();
  let hasTwins = false;
  const query = `select ${vehicleColumns} from vehicles v left join brands b on b.id = v.brand_id
    where v.changed_in > ${after} or b.changed_in > ${after}`;
  for await (const rows of chunksOf<VehicleRow>(client, query)) {
    for (const row of rows) {
      const [id, brand] = [row.id.toLowerCase(), row.brand_id.toLowerCase()];
      hasTwins ||= ids.has(id) || (brands.get(brand) ?? row.brand_id) !== row.brand_id;
      ids.add(id);
      brands.set(brand, row.brand_id);
      records.push(recordOf(row));
    }
  }
  return { records, hasTwins };
}

/** The same order of the same rows for everybody; of brands that are one to the catalogue, the first one goes before the other. */
function byIds(one: VehicleInput, other: VehicleInput): number {
  return compareTexts(one.manufacturer.id, other.manufacturer.id) || compareTexts(one.id, other.id);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * Whether there are rows of transactions that the version did not see, and that do not say so, or vehicles whose brand has gone: of a replication, or of
 * a session that has switched triggers off. Transactions are numbered with 64 bits, of which rows have the lower 32.
 */
async function isWrittenPastTriggers(client: Client, { number, view }: SeenVersion): Promise<boolean> {
  const unseen = (table: string): string => `exists (select from ${table} r, upper u
    where r.changed_in <= $1 and not pg_visible_in_snapshot(
      (u.next - ((u.next - r.xmin::text::bigint) & 4294967295))::text::xid8, $2::pg_snapshot))`;
  const { rows } = await client.query<{ is_unseen: boolean }>(
    `with upper as (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next)
      select ${unseen("brands")} or ${unseen("vehicles")}
        or exists (select from vehicles v where not exists (select from brands b where b.id = v.brand_id)) as is_unseen`,
    [number.toString(), view],
  );
  return rows[0]?.is_unseen === true;
}

async function readIds(client: Client): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const rows of chunksOf<{ id: string }>(client, "select id from vehicles", 20 * chunk)) {
    for (const { id } of rows) ids.add(id.toLowerCase());
  }
  return ids;
}

/** The rows of a query in pieces, by a cursor of the transaction that is open. */
export async function* chunksOf<Row extends object>(
  client: Client,
  query: string,
  size: number = chunk,
): AsyncGenerator<readonly Row[], void, undefined> {
  await client.query(`declare piecewise no scroll cursor for ${query}`);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${size} from piecewise`);
    if (rows.length > 0) yield rows;
    if (rows.length < size) break;
  }
  await client.query("close piecewise");
}
