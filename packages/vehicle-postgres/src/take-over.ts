import {
  CatalogueError,
  type LoadReport,
  type MemoryCatalogue,
  readCatalogueData,
  type VehicleExtension,
  type VehicleInput,
} from "@wye/vehicle-catalogue/server";
import type { Client } from "pg";
import { type Changes, loadChanges } from "./load-changes.js";
import type { StoredVersion } from "./stored-version.js";

/** A catalogue in memory, and what it is a copy of. */
export interface Copy {
  readonly memory: MemoryCatalogue;
  readonly schema: string;
  readonly extension: VehicleExtension | undefined;
}

/** What is wrong with rows. */
export type Problems = Pick<LoadReport, "problems" | "omitted">;

/** What came of taking data over. */
export interface TakenOver {
  readonly version: StoredVersion;
  /** What is wrong with rows, which were left out; or why all of the data were refused. */
  readonly outcome: Problems | CatalogueError;
}

/**
 * Puts what the database holds into a catalogue in memory, which shows it all at once. With `since`, the version that
 * the memory has, only what was written after it is read; without, everything is.
 */
export async function takeOver(
  copy: Copy,
  client: Client,
  since: StoredVersion | undefined,
): Promise<TakenOver> {
  const { memory, schema } = copy;
  const { version, ...changes } = await loadChanges(client, schema, since?.number ?? -1n, (changed) =>
    since === undefined ? changed.length : countWith(memory, changed),
  );
  const change = since === undefined ? memory.replace(changes.changed) : apply(copy, changes);
  const outcome = await change.catch((error: unknown) => {
    if (error instanceof CatalogueError) return error;
    throw error;
  });
  return { version, outcome };
}

/** How many vehicles there are with these among them. */
function countWith(memory: MemoryCatalogue, changed: readonly VehicleInput[]): number {
  const ids = changed.map(({ id }) => id);
  const count = (filter: { readonly ids?: readonly string[] }): number =>
    memory.snapshot().find({ ...filter, offset: 0, limit: 0 }).overallCount;
  return count({}) + ids.length - count({ ids });
}

/** Makes the changes in one step: by single vehicles where that is one step, and otherwise by a new list of all. */
async function apply(
  { memory, extension }: Copy,
  { changed, remaining }: Omit<Changes, "version">,
): Promise<Problems> {
  const gone =
    remaining === undefined ? [] : memory.vehicles().filter(({ id }) => !remaining.has(id.toLowerCase()));
  if (gone.length === 0) {
    // A record that is wrong now takes its vehicle out, which would be a second step.
    const { problems } = readCatalogueData(changed, extension);
    if (problems.length === 0) return memory.upsert(changed);
  } else if (changed.length === 0) {
    await memory.remove(gone.map(({ id }) => id));
    return { problems: [], omitted: { problems: 0, repairs: 0, staleCorrections: 0 } };
  }
  const left = new Set([...changed, ...gone].map(({ id }) => id.toLowerCase()));
  const others = memory.vehicles().filter(({ id }) => !left.has(id.toLowerCase()));
  return memory.replace([...others, ...changed]);
}
