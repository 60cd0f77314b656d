import type { Brand, Vehicle } from "@wye/vehicle-catalogue";
import {
  CatalogueError,
  formatRecordProblem,
  type MemoryCatalogue,
  type ReadVehicles,
  readCatalogueDataInSlices,
  type VehicleExtension,
  type VehicleInput,
} from "@wye/vehicle-catalogue/server";
import type { Client } from "pg";
import { type Changes, loadChanges } from "./load-changes.js";
import { pieces } from "./pieces.js";
import type { SeenVersion } from "./stored-version.js";
import type { Place } from "./transaction.js";

/** A catalogue in memory, and what it is a copy of. */
export interface Copy {
  readonly memory: MemoryCatalogue;
  /** What the memory takes for the time at which something changes. */
  readonly clock: { now: number };
  readonly place: Place;
  readonly extension: VehicleExtension | undefined;
}

/** What is wrong with rows, and what was mended of them. */
export type Problems = Pick<ReadVehicles, "problems" | "repairs" | "omitted">;

/** A version that a copy has. */
export interface HeldVersion extends SeenVersion {
  /** Whether the copy has all of its rows: those that are wrong are left out. */
  readonly isWhole: boolean;
  /** Whether some of its rows have ids that only the database tells apart. As long as there are such, everything is read each time. */
  readonly hasTwins: boolean;
}

/** What came of taking data over. */
export interface TakenOver {
  readonly version: HeldVersion;
  /** What is wrong with rows, which were left out; or why all of the data were refused. */
  readonly outcome: Problems | CatalogueError;
}

/**
 * Puts what the database holds into a catalogue in memory, which shows it all at once; less than a share of what is
 * there is refused. With `since`, the version that the memory has, only what was written after it is read, if the
 * database has come from there; otherwise everything is.
 */
export async function takeOver(
  copy: Copy,
  client: Client,
  since: HeldVersion | undefined,
  leastShare: number,
): Promise<TakenOver> {
  const { memory, clock, place } = copy;
  const from = since?.hasTwins === true ? undefined : since;
  const { version, ...changes } = await loadChanges(client, place, from, (changed) =>
    from?.isWhole === true ? countWith(memory, changed) : undefined,
  );
  // All who follow a database have to agree on what was there at which time, however long they take and whatever their clocks say.
  clock.now = version.askedAt;
  const leastVehicles = Math.ceil(countOf(memory) * leastShare);
  const change = changes.isAll
    ? memory.replace(changes.changed, { leastVehicles })
    : apply(copy, changes, leastVehicles);
  const outcome = await change.catch((error: unknown) => {
    if (error instanceof CatalogueError) return error;
    throw error;
  });
  if (outcome === undefined) return takeOver(copy, client, undefined, leastShare);
  const isWhole = countOf(memory) === changes.rows;
  return { version: { ...version, isWhole, hasTwins: changes.hasTwins }, outcome };
}

/**
 * Makes the changes in one step. A record that is wrong now takes its vehicle out. Undefined, and nothing is made, where one has to have
 * read everything to tell what comes of them.
 */
async function apply(
  { memory, extension }: Copy,
  { changed, remaining, rows }: Omit<Changes, "version">,
  leastVehicles: number,
): Promise<Problems | undefined> {
  const read = await readCatalogueDataInSlices(changed, extension);
  const right = new Set(read.vehicles.map(({ id }) => id.toLowerCase()));
  const remove: string[] = [];
  for await (const piece of pieces(changed, chunk)) {
    for (const { id } of piece) if (!right.has(id.toLowerCase())) remove.push(id);
  }
  for await (const piece of pieces(remaining === undefined ? [] : memory.vehicles(), chunk)) {
    for (const { id } of piece) if (remaining?.has(id.toLowerCase()) === false) remove.push(id);
  }
  const left = (await countWith(memory, read.vehicles)) - (await countAmong(memory, remove));
  // What is wrong with rows that have not changed is not known.
  if (left === 0 && rows > 0 && read.problems.length === 0) return undefined;
  refuseFewer(left, leastVehicles, read);
  if (spellsBrandsOtherwise(read.vehicles, memory.snapshot().brands())) {
    const gone = new Set([...remove, ...right].map((id) => id.toLowerCase()));
    const others = memory.vehicles().filter(({ id }) => !gone.has(id.toLowerCase()));
    const brands = others.map(({ manufacturer }) => manufacturer);
    if (spellsBrandsOtherwise(read.vehicles, brands)) return undefined;
    await memory.replace([...others, ...read.vehicles]);
  } else {
    await memory.upsert(read.vehicles, { remove });
  }
  return read;
}

/** A catalogue in memory keeps the id of a brand as it was spelled first, and a new one would not know that spelling. */
function spellsBrandsOtherwise(vehicles: readonly Vehicle[], brands: readonly Brand[]): boolean {
  const spellings = new Map(brands.map(({ id }) => [id.toLowerCase(), id]));
  return vehicles.some(({ manufacturer: { id } }) => (spellings.get(id.toLowerCase()) ?? id) !== id);
}

function refuseFewer(left: number, leastVehicles: number, { problems }: ReadVehicles): void {
  const [first] = problems;
  if (left === 0 && first !== undefined) {
    throw new CatalogueError("invalid_data", formatRecordProblem(first), { problems });
  }
  if (left >= leastVehicles) return;
  const message = `only ${left} vehicles are right, and at least ${leastVehicles} must be`;
  throw new CatalogueError("shrunk", message, { problems });
}

const chunk = 1000;

function countOf(memory: MemoryCatalogue): number {
  return memory.snapshot().find({ offset: 0, limit: 0 }).overallCount;
}

/** How many vehicles there are with these among them. */
async function countWith(memory: MemoryCatalogue, vehicles: readonly VehicleInput[]): Promise<number> {
  const ids = vehicles.map(({ id }) => id);
  return countOf(memory) + ids.length - (await countAmong(memory, ids));
}

/** How many of these ids, all of them different, are in the catalogue. */
async function countAmong(memory: MemoryCatalogue, ids: readonly string[]): Promise<number> {
  let count = 0;
  for await (const piece of pieces(ids, chunk)) {
    count += memory.snapshot().find({ ids: piece, offset: 0, limit: 0 }).overallCount;
  }
  return count;
}
