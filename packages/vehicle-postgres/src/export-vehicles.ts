import type { Vehicle } from "@wye/vehicle-catalogue";
import { CatalogueError, readCatalogueData, type VehicleExtension } from "@wye/vehicle-catalogue/server";
import { checkMembers, type Members } from "./check-members.js";
import type { PostgresConnection } from "./client-config.js";
import { openConnection } from "./connection.js";
import { databaseFailure } from "./database-failure.js";
import { isLeftOut } from "./left-out-report.js";
import { chunksOf } from "./load-changes.js";
import { checkSchema, defaultSchema } from "./schema-name.js";
import { recordOf, type VehicleRow, vehicleColumns } from "./stored-vehicle.js";
import { checkMigrated } from "./stored-version.js";
import { beginView, inTransaction } from "./transaction.js";

/** How data are read. */
export interface ExportOptions {
  readonly schema?: string;
  /** What vehicles may have beyond the documented API. Default: nothing. */
  readonly extension?: VehicleExtension;
  /** How long one statement may take. Default: ten minutes. */
  readonly timeoutMs?: number;
}

const members: Members<ExportOptions> = { schema: 1, extension: "an object", timeoutMs: 1 };

/**
 * All vehicles of the database as one view of it has them, in order, few at a time; what it yields can be imported again. Throws
 * when a row is no vehicle, or has attributes that `extension` does not name and that would be lost.
 */
export async function* exportVehicles(
  connection: PostgresConnection,
  options: ExportOptions = {},
): AsyncGenerator<Vehicle, void, undefined> {
  checkMembers("exportVehicles", options, members);
  const { schema = defaultSchema, extension, timeoutMs = 600_000 } = options;
  checkSchema(schema);
  try {
    const { client, lost, close } = await openConnection(connection, timeoutMs);
    try {
      const place = { schema, timeoutMs };
      await inTransaction(client, place, "read", () => checkMigrated(client, schema));
      await beginView(client, place);
      const query = `select ${vehicleColumns} from ${schema}.vehicles v left join ${schema}.brands b on b.id = v.brand_id
      order by left(v.sort_key, 600), v.sort_key, v.id`;
      for await (const rows of chunksOf<VehicleRow>(client, query)) yield* checked(rows, extension);
    } catch (error) {
      // Why the server hung up while nobody read on; the next query only tells that it did.
      await Promise.race([lost, Promise.reject(error)]);
    } finally {
      await close();
    }
  } catch (error) {
    throw databaseFailure(error, timeoutMs);
  }
}

/** What a vehicle has of these stands beside its attributes. */
const columns = ["id", "type", "manufacturer"];

function checked(rows: readonly VehicleRow[], extension: VehicleExtension | undefined): readonly Vehicle[] {
  const { vehicles, problems, repairs, omitted } = readCatalogueData(rows.map(recordOf), extension);
  // Where more was mended than is listed, nothing that was left out may be among the rest.
  if (omitted.repairs > 0 && rows.length > 1) {
    const half = rows.length >> 1;
    return [...checked(rows.slice(0, half), extension), ...checked(rows.slice(half), extension)];
  }
  for (const { id, attributes } of rows) {
    const name = columns.find((column) => Object.hasOwn(attributes, column));
    if (name === undefined) continue;
    const problem = `has ${name} among its attributes, which would be lost: a column of its own has that`;
    throw new CatalogueError("invalid_data", `the vehicle ${id} in the database ${problem}`);
  }
  const [first] = problems;
  const lost = repairs.find(isLeftOut);
  if (first === undefined && lost === undefined) return vehicles;
  const message =
    first === undefined
      ? `the vehicle ${lost?.id} in the database has ${lost?.field}, which would be lost: name it in the option extension`
      : `the vehicle ${first.id} in the database is wrong: ${first.field} ${first.message}`;
  throw new CatalogueError("invalid_data", message, { problems });
}
