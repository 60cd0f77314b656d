import type { Brand, Vehicle } from "@wye/vehicle-catalogue";
import {
  CatalogueError,
  mostReported,
  type ReadVehicles,
  type RecordProblem,
  type RecordRepair,
  readCatalogueData,
  readCatalogueDataInSlices,
  type VehicleExtension,
} from "@wye/vehicle-catalogue/server";
import type { Client } from "pg";
import { checkMembers, type Members, shown } from "./check-members.js";
import { clientConfig, type PostgresConnection } from "./client-config.js";
import { withConnection } from "./connection.js";
import { checkShare } from "./numbers.js";
import { pieces } from "./pieces.js";
import { checkSchema, defaultSchema } from "./schema-name.js";
import { storageProblems } from "./storage-problems.js";
import { recordOf, rowOf, type VehicleRow, vehicleColumns } from "./stored-vehicle.js";
import { checkMigrated } from "./stored-version.js";
import { takeTwinsOut } from "./take-twins-out.js";
import { inTransaction } from "./transaction.js";

/** How data are written. */
export interface ImportOptions {
  readonly schema?: string;
  /**
   * `replace`: vehicles that the data do not have are taken out, and brands without vehicles too. `merge`: they stay.
   * Default: `replace`.
   */
  readonly mode?: "replace" | "merge";
  /** Refuse all of the data when any record is wrong. By default wrong records are left out and reported. */
  readonly strict?: boolean;
  /** Data with less than this share of the present vehicles do not replace them. Default: 0.5; 0 accepts all data. */
  readonly leastShare?: number;
  /** What vehicles may have beyond the documented API. Default: nothing. */
  readonly extension?: VehicleExtension;
  /** How long one statement may take. Default: ten minutes. */
  readonly timeoutMs?: number;
}

/** What came of writing data. */
export interface ImportReport {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** What is wrong with records, a thousand entries at most; a record with a problem was left out. */
  readonly problems: readonly RecordProblem[];
  /** The values that were mended, a thousand entries at most. */
  readonly repairs: readonly RecordRepair[];
  /** How many more problems and repairs there were. */
  readonly omitted: Readonly<Record<"problems" | "repairs", number>>;
}

const members: Members<ImportOptions> = {
  schema: 1,
  mode: 1,
  strict: "true or false",
  leastShare: 1,
  extension: "an object",
  timeoutMs: 1,
};

/**
 * Writes a catalogue into the database, all of it or nothing: a list of vehicles, `{ "vehicles": [...] }`, or the content
 * of an Open EV Data file. Rows that are as they should be are not touched, so the same data again change nothing.
 */
export async function importVehicles(
  connection: PostgresConnection,
  data: unknown,
  options: ImportOptions = {},
): Promise<ImportReport> {
  checkMembers("importVehicles", options, members);
  const { schema = defaultSchema, mode = "replace", leastShare = 0.5, timeoutMs = 600_000 } = options;
  checkSchema(schema);
  checkShare(leastShare);
  if (mode !== "replace" && mode !== "merge") {
    throw new TypeError(`mode must be "replace" or "merge"; got ${shown(mode)}`);
  }
  // What cannot be meant is refused before anything is read.
  clientConfig(connection, timeoutMs);
  const read = await readStorable(data, options.extension);
  const { vehicles } = read;
  const report = (twins: readonly string[]): Pick<ImportReport, "problems" | "repairs" | "omitted"> => {
    const reported = withTwins(read, twins);
    const { problems, omitted } = reported;
    if (options.strict !== true || problems.length === 0) return reported;
    const message = `${problems.length + omitted.problems} things are wrong with the records`;
    throw new CatalogueError("invalid_data", message, { problems });
  };
  report([]);
  const { twins, ...counts } = await withConnection(connection, timeoutMs, async (client) => {
    return inTransaction(client, { schema, timeoutMs }, "write", async () => {
      await checkMigrated(client, schema);
      // Whole tables are compared here, and whoever analyses them before the end finds them as they were: to the server, a first import fills a table
      // that is empty, and it would look at all that came once for each row.
      await client.query("set local enable_nestloop = off");
      // Writers come one after the other, so that what is compared stays what it is. The lock is the trigger's: a role that writes vehicles
      // has no right to lock versions.
      await client.query("update vehicles set id = id where false");
      const { rows } = await client.query<{ number: string }>("select number from catalogue_version");
      if (mode === "replace") await refuseFewer(client, vehicles.length, leastShare);
      await bring(client, vehicles);
      const twins = await takeTwinsOut(client);
      report(twins);
      await writeBrands(client);
      if (mode === "merge") await bringRenamed(client, rows[0]?.number ?? "0", options.extension);
      const written = await writeVehicles(client);
      const removed = mode === "replace" ? await sweep(client) : 0;
      if (written.added + written.changed + removed >= worthAnalysing) await analyse(client);
      return { ...written, twins, removed };
    });
  });
  return {
    ...counts,
    unchanged: Math.max(0, vehicles.length - twins.length - counts.added - counts.changed),
    ...report(twins),
  };
}

/** Rows that are made and sent at once: few enough not to hold up the event loop. */
const chunk = 250;

/** So many changed rows may be another table to a planner of queries, who looks for himself a minute later or not at all. */
const worthAnalysing = 1000;

/** What came of reading data. */
interface Storable extends Pick<ReadVehicles, "problems" | "repairs" | "omitted"> {
  readonly vehicles: readonly Vehicle[];
  /** Per vehicle: the position of its record. */
  readonly indexes: readonly number[];
}

/** Reads data, and leaves out what the database cannot hold as well. */
async function readStorable(data: unknown, extension: VehicleExtension | undefined): Promise<Storable> {
  const read = await readCatalogueDataInSlices(data, extension);
  const vehicles: Vehicle[] = [];
  const indexes: number[] = [];
  const unfit: RecordProblem[] = [];
  let at = 0;
  for await (const piece of pieces(read.vehicles, 4 * chunk)) {
    for (const vehicle of piece) {
      const index = read.indexes[at++] ?? 0;
      const found = storageProblems(vehicle, index);
      unfit.push(...found);
      if (found.length > 0) continue;
      vehicles.push(vehicle);
      indexes.push(index);
    }
  }
  return { ...withProblems(read, unfit), vehicles, indexes };
}

/** The same with further problems, each at its place, and no more than are reported. */
function withProblems<Read extends Pick<ReadVehicles, "problems" | "omitted">>(
  read: Read,
  further: readonly RecordProblem[],
): Read {
  const all = [...read.problems, ...further].sort((a, b) => a.index - b.index);
  const problems = all.slice(0, mostReported);
  const omitted = { ...read.omitted, problems: read.omitted.problems + all.length - problems.length };
  return { ...read, problems, omitted };
}

function withTwins(
  { vehicles, indexes, ...read }: Storable,
  twins: readonly string[],
): Omit<Storable, "vehicles" | "indexes"> {
  const message = "or that of its brand is the id of another one as PostgreSQL compares letters";
  const problems = twins.map((id): RecordProblem => {
    const index = indexes[vehicles.findIndex((vehicle) => vehicle.id === id)] ?? 0;
    return { index, id, field: "id", message };
  });
  return withProblems(read, problems);
}

/** Brings rows to the server, into tables that end with the transaction. */
async function bring(client: Client, vehicles: readonly Vehicle[]): Promise<void> {
  await client.query(`create temporary table incoming_brands (id text, name text) on commit drop;
    create temporary table incoming_vehicles
      (id text, type text, brand_id text, attributes jsonb, sort_key text, search_text text) on commit drop`);
  const brands = new Map<string, Brand>(vehicles.map(({ manufacturer }) => [manufacturer.id, manufacturer]));
  await send(client, "incoming_brands", [...brands.values()], (brand) => brand);
  await send(client, "incoming_vehicles", vehicles, rowOf);
  await client.query("analyze incoming_vehicles");
}

/** Piece by piece: of 100,000 vehicles one text would be larger than all else, and take its time. */
async function send<Item>(
  client: Client,
  table: string,
  items: readonly Item[],
  toRow: (item: Item) => object,
): Promise<void> {
  for await (const piece of pieces(items, chunk)) {
    const rows = JSON.stringify(piece.map(toRow));
    await client.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
      rows,
    ]);
  }
}

/** Vehicles that stay as they are, of brands that were renamed in this version: their order and search follow the name. */
async function bringRenamed(
  client: Client,
  version: string,
  extension: VehicleExtension | undefined,
): Promise<void> {
  const { rows } = await client.query<VehicleRow>(
    `select ${vehicleColumns} from vehicles v join brands b on b.id = v.brand_id
      where b.changed_in = $1 and not exists (select from incoming_vehicles i where lower(i.id) = lower(v.id))`,
    [version],
  );
  // What this program does not know of them stays as well.
  const attributes = new Map(rows.map((row) => [row.id, row.attributes]));
  const { vehicles } = readCatalogueData(rows.map(recordOf), extension);
  await send(client, "incoming_vehicles", vehicles, (vehicle) => {
    const row = rowOf(vehicle);
    return { ...row, attributes: attributes.get(row.id) ?? row.attributes };
  });
}

async function refuseFewer(client: Client, incoming: number, leastShare: number): Promise<void> {
  const { rows } = await client.query<{ count: string }>("select count(*) from vehicles");
  const present = Number(rows[0]?.count);
  if (incoming >= present * leastShare) return;
  const message = `${incoming} vehicles would replace ${present} (leastShare: ${leastShare})`;
  throw new CatalogueError("shrunk", message);
}

async function writeBrands(client: Client): Promise<void> {
  await client.query(`insert into brands as b (id, name) select id, name from incoming_brands
    on conflict (lower(id)) do update set id = excluded.id, name = excluded.name
    where (b.id, b.name) is distinct from (excluded.id, excluded.name)`);
}

/** Makes the table what came, touching only what differs. */
async function writeVehicles(client: Client): Promise<Pick<ImportReport, "added" | "changed">> {
  // A row that was just made has no former transaction.
  const { rows } = await client.query<{ added: boolean; count: string }>(`with written as (
      insert into vehicles as v (id, type, brand_id, attributes, sort_key, search_text)
      select id, type, brand_id, attributes, sort_key, search_text from incoming_vehicles
      on conflict (lower(id)) do update set id = excluded.id, type = excluded.type, brand_id = excluded.brand_id,
        attributes = excluded.attributes, sort_key = excluded.sort_key, search_text = excluded.search_text
      where (v.id, v.type, v.brand_id, v.attributes, v.sort_key, v.search_text) is distinct from
        (excluded.id, excluded.type, excluded.brand_id, excluded.attributes, excluded.sort_key, excluded.search_text)
      returning xmax = 0 as added)
    select added, count(*) from written group by added`);
  const countOf = (added: boolean): number => Number(rows.find((row) => row.added === added)?.count ?? 0);
  return { added: countOf(true), changed: countOf(false) };
}

/** Lets the server look at what is there now, unless somebody else does, or the tables belong to another role: then it only warns. */
async function analyse(client: Client): Promise<void> {
  await client.query("analyze (skip_locked) brands, vehicles");
}

/** Takes out what did not come. */
async function sweep(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    "delete from vehicles v where not exists (select from incoming_vehicles i where i.id = v.id)",
  );
  await client.query(
    "delete from brands b where not exists (select from vehicles v where v.brand_id = b.id)",
  );
  return rowCount ?? 0;
}
