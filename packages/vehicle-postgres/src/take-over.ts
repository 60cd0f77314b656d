import type { LoadReport, MemoryCatalogue, VehicleInput } from "@wye/vehicle-catalogue/server";
import { CatalogueError } from "@wye/vehicle-catalogue/server";
import type { Client } from "pg";
import { loadChanges } from "./load-changes.js";
import type { StoredVersion } from "./stored-version.js";

/** What came of taking data over. */
export interface TakenOver {
  readonly version: StoredVersion;
  /** What was loaded, or why all of it was refused. */
  readonly outcome: LoadReport | CatalogueError;
}

/**
 * Puts what the database holds into a catalogue in memory, which shows it all at once. With `since`, the version that
 * the memory has, only what was written after it is read; without, everything is.
 */
export async function takeOver(
  memory: MemoryCatalogue,
  client: Client,
  schema: string,
  since: StoredVersion | undefined,
): Promise<TakenOver> {
  const present = since === undefined ? [] : memory.vehicles();
  const copy = new Map<string, VehicleInput>(present.map((vehicle) => [vehicle.id, vehicle]));
  const countWith = (changed: readonly VehicleInput[]): number => {
    for (const vehicle of changed) copy.set(vehicle.id, vehicle);
    return copy.size;
  };
  const { version, remaining } = await loadChanges(client, schema, since?.number ?? -1n, countWith);
  if (remaining !== undefined) {
    for (const id of copy.keys()) if (!remaining.has(id)) copy.delete(id);
  }
  const outcome = await memory.replace([...copy.values()]).catch((error: unknown) => {
    if (error instanceof CatalogueError) return error;
    throw error;
  });
  return { version, outcome };
}
