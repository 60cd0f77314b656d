import { CatalogueError } from "../catalogue-error.js";
import { isOpenEvData, readingOpenEvData } from "../open-ev-data/vehicles-from-open-ev-data.js";
import { isRecord, show } from "../records/check-value.js";
import { type Correction, CorrectionSheet, type StaleCorrection } from "../records/corrections.js";
import { type ReadVehicles, readingVehicles } from "../records/read-vehicles.js";
import { formatRecordProblem, type RecordProblem, type RecordRepair } from "../records/record-problem.js";
import { atOnce, itemsPerStep, type Sliced } from "../records/sliced.js";
import type { VehicleInput } from "../records/vehicle-input.js";
import { type VehicleExtension, type VehicleRules, vehicleRules } from "../records/vehicle-rules.js";
import type { Vehicle } from "../vehicle.js";
import type { Catalogue } from "./catalogue.js";
import { checkMembers, checkOption, checkPresent, type Names } from "./check-option.js";
import { inSlices } from "./memory/in-slices.js";
import { createSnapshot, type MemorySnapshot } from "./memory/memory-snapshot.js";
import { steadyClock } from "./memory/steady-clock.js";
import { type Changes, VehicleTable } from "./memory/vehicle-table.js";
import { searchAliases } from "./search/search-aliases.js";

/** How a list is loaded and searched. */
export interface MemoryCatalogueOptions {
  /** Refuse the whole list when any record is wrong. By default wrong records are left out and reported. */
  readonly strict?: boolean;
  /**
   * Further brand short names for the search, each one word as people type it: `{ vw: "Volkswagen" }`. A table of common ones is
   * always in force; an entry here wins over it.
   */
  readonly brandAliases?: Readonly<Record<string, string>>;
  /** What vehicles may have beyond the documented API. Default: nothing. */
  readonly extension?: VehicleExtension;
  /** Corrections that are laid over data whenever all of them are loaded, before anything is checked. Default: none. */
  readonly corrections?: readonly Correction[];
  /** A clock in milliseconds since 1970, which says when vehicles change. Default: `Date.now`. */
  readonly now?: () => number;
}

/** What a replacement must be like. */
export interface ReplaceOptions {
  /** Refuse data with fewer right records than this, with the code `shrunk`. Default: 0. */
  readonly leastVehicles?: number;
}

/** What came of loading a list. */
export interface LoadReport {
  /** How many vehicles were taken. */
  readonly loaded: number;
  /** What is wrong with records, a thousand entries at most; a record with a problem was left out. */
  readonly problems: readonly RecordProblem[];
  /** The values that were mended, a thousand entries at most. */
  readonly repairs: readonly RecordRepair[];
  /** Corrections that were not made, because the data are not what they were. There if there are corrections. */
  readonly staleCorrections?: readonly StaleCorrection[];
  /** How many more of each there were. */
  readonly omitted: Readonly<Record<"problems" | "repairs" | "staleCorrections", number>>;
}

/** A catalogue that is all in memory. Its answers are there at once. */
export interface MemoryCatalogue extends Catalogue {
  /** What came of the last loading of all data. */
  readonly report: LoadReport;
  snapshot(): MemorySnapshot;
  /** All vehicles, in order. They are those that are served, and nobody looks at them again: do not write into them. */
  vehicles(): readonly Vehicle[];
  /**
   * Puts other data in place of the present ones, between two requests: every response is of the old data or of the new
   * ones. Takes what `catalogueFromJson` takes. Records of which none is right are refused even if not strict. When it
   * rejects, the old data stay. Changes are made in the order in which they were asked for.
   */
  replace(data: unknown, options?: ReplaceOptions): Promise<LoadReport>;
  /**
   * Adds vehicles, or puts them in place of those with the same ids. Wrong records are left out and reported, or with
   * `strict` all are refused. A vehicle that names its brand otherwise renames the brand for all of its vehicles. What
   * `remove` names goes out in the same step, unless it is among the records.
   */
  upsert(
    records: readonly VehicleInput[],
    options?: { readonly remove?: readonly string[] },
  ): Promise<LoadReport>;
  /** Takes the vehicles with these ids out. Resolves to how many there were. */
  remove(ids: readonly string[]): Promise<number>;
}

/**
 * A catalogue of vehicles that a program has at hand, such as those a client fetched. Lists and objects in them are kept, not copied: do
 * not write into them afterwards.
 */
export function catalogueFromVehicles(
  vehicles: readonly VehicleInput[],
  options?: MemoryCatalogueOptions,
): MemoryCatalogue {
  if (!Array.isArray(vehicles)) {
    throw new TypeError(
      `catalogueFromVehicles needs a list of records; got ${show(vehicles)}. catalogueFromJson takes other forms.`,
    );
  }
  return createMemoryCatalogue((...how) => readingVehicles(vehicles, ...how), options);
}

/** A catalogue of a parsed Open EV Data file (`ev-data.json`). */
export function catalogueFromOpenEvData(file: unknown, options?: MemoryCatalogueOptions): MemoryCatalogue {
  return createMemoryCatalogue((...how) => readingOpenEvData(file, ...how), options);
}

/** A catalogue of parsed JSON of unknown shape: a list of vehicles, `{ "vehicles": [...] }`, or Open EV Data. */
export function catalogueFromJson(data: unknown, options?: MemoryCatalogueOptions): MemoryCatalogue {
  return createMemoryCatalogue((...how) => readingCatalogueData(data, ...how), options);
}

/** Checks parsed JSON of unknown shape: whatever `catalogueFromJson` takes, for a catalogue that keeps it elsewhere. */
export function readCatalogueData(data: unknown, extension?: VehicleExtension): ReadVehicles {
  return atOnce(readingCatalogueData(data, vehicleRules(extension)));
}

/** The same in slices, between which everything else gets its turn. */
export async function readCatalogueDataInSlices(
  data: unknown,
  extension?: VehicleExtension,
): Promise<ReadVehicles> {
  return inSlices(readingCatalogueData(data, vehicleRules(extension)));
}

/** Reads data, by these rules and with these corrections. */
type Reading = (rules: VehicleRules, corrections: CorrectionSheet | undefined) => Sliced<ReadVehicles>;

function* readingCatalogueData(
  data: unknown,
  rules: VehicleRules,
  corrections?: CorrectionSheet,
): Sliced<ReadVehicles> {
  if (isOpenEvData(data)) return yield* readingOpenEvData(data, rules, corrections);
  const list = isRecord(data) ? data.vehicles : data;
  if (Array.isArray(list)) return yield* readingVehicles(list, rules, corrections);
  throw new CatalogueError(
    "invalid_data",
    'not a catalogue: expected a list of vehicles, an object with the list "vehicles", or an Open EV Data file with the lists "data" and "brands"',
  );
}

/** More changes than these are made in a new table: what is noted down for the readers of the old one has its limits. */
const mostInPlace = 5000;

/** When more rows than this have gone out, and more than are left, the table is made anew. */
const leastGone = 1000;

function createMemoryCatalogue(first: Reading, options: MemoryCatalogueOptions = {}): MemoryCatalogue {
  checkMemoryOptions(options);
  const aliases = searchAliases(options.brandAliases);
  const rules = vehicleRules(options.extension);
  const clock = steadyClock(options.now);
  /** The time of the next change: each has a later one, whatever the clock does. */
  const nextTime = (former: VehicleTable | undefined): number =>
    Math.max(clock(), (former?.state.updatedAt ?? 0) + 1);
  function* tableOf(vehicles: readonly Vehicle[], former?: VehicleTable): Sliced<VehicleTable> {
    const made = new VehicleTable(rules.names, aliases);
    yield* made.apply({ put: vehicles, out: [], at: nextTime(former) }, former);
    return made;
  }
  const accept = (read: ReadVehicles): LoadReport => {
    if (options.strict === true) refuseProblems(read);
    const { problems, repairs } = read;
    const omitted = { ...read.omitted, staleCorrections: 0 };
    return { loaded: read.vehicles.length, problems, repairs, omitted };
  };
  /** Reads all data, as a load: refused, or with its report. */
  function* load(reading: Reading): Sliced<{ readonly read: ReadVehicles; readonly report: LoadReport }> {
    const { corrections } = options;
    const sheet = corrections === undefined ? undefined : new CorrectionSheet(corrections, rules);
    const read = yield* reading(rules, sheet);
    const report = accept(read);
    if (sheet === undefined) return { read, report };
    const { items: staleCorrections, omitted } = sheet.stale();
    const counts = { ...report.omitted, staleCorrections: omitted };
    return { read, report: { ...report, staleCorrections, omitted: counts } };
  }
  const loaded = atOnce(load(first));
  let { report } = loaded;
  let table = atOnce(tableOf(loaded.read.vehicles));
  let current = createSnapshot(table);
  let last: Promise<unknown> = Promise.resolve();
  /** Makes changes one after the other, in slices. */
  const inTurn = <Result>(change: () => Sliced<Result>): Promise<Result> => {
    const done = last.then(() => inSlices(change()));
    last = done.catch(() => {});
    return done;
  };
  const presentVehicles = (): readonly Vehicle[] => table.present();
  const show = (changed: VehicleTable): void => {
    table = changed;
    current = createSnapshot(table);
  };
  function* change(changes: Omit<Changes, "at">): Sliced<number> {
    const many = changes.put.length + changes.out.length > mostInPlace;
    const target = many ? yield* tableOf(presentVehicles(), table) : table;
    const removed = yield* target.apply({ ...changes, at: nextTime(table) });
    show(target);
    if (table.gone > Math.max(leastGone, table.state.order.length)) {
      show(yield* tableOf(presentVehicles(), table));
    }
    return removed;
  }

  return {
    ...(options.extension === undefined ? {} : { extension: options.extension }),
    understands: ["conditions", "order", "updatedSince"],
    get report() {
      return report;
    },
    snapshot: () => current,
    vehicles: presentVehicles,
    replace: (data, options = {}) =>
      inTurn(function* () {
        const leastVehicles = checkedLeast(options);
        const next = yield* load((...how) => readingCatalogueData(data, ...how));
        if (next.read.vehicles.length === 0) refuseProblems(next.read);
        refuseFewer(next.read, leastVehicles);
        // Everything is made before anything is shown: a request sees either version, whole.
        show(yield* tableOf(next.read.vehicles, table));
        ({ report } = next);
        return report;
      }),
    upsert: (records, options = {}) =>
      inTurn(function* () {
        if (!Array.isArray(records)) throw new TypeError("upsert needs a list of records");
        checkOption("options of upsert", options, "an object");
        checkMembers("upsert", options, { remove: 1 });
        const { remove = [] } = options;
        checkIds(remove, "remove");
        const read = yield* readingVehicles(records, rules);
        const accepted = accept(read);
        yield* change({ put: read.vehicles, out: yield* without(remove, records) });
        return accepted;
      }),
    remove: (ids) =>
      inTurn(() => {
        checkIds(ids, "ids");
        return change({ put: [], out: ids });
      }),
  };
}

/** The ids that no record has, right or wrong. */
function* without(ids: readonly string[], records: readonly unknown[]): Sliced<readonly string[]> {
  if (ids.length === 0) return ids;
  const given = new Set<string>();
  for (const [place, record] of records.entries()) {
    if (isRecord(record) && typeof record.id === "string") given.add(record.id.toLowerCase());
    if (place % itemsPerStep === 0) yield;
  }
  return ids.filter((id) => !given.has(id.toLowerCase()));
}

/** What a catalogue in memory can be told. */
export const memoryOptionNames: Names<MemoryCatalogueOptions> = {
  strict: 1,
  brandAliases: 1,
  extension: 1,
  corrections: 1,
  now: 1,
};
const replaceNames: Names<ReplaceOptions> = { leastVehicles: 1 };

/** Says at once what a program without types got wrong; the sheet of corrections does so for its own. */
export function checkMemoryOptions(options: MemoryCatalogueOptions): void {
  checkOption("options", options, "an object");
  checkMembers("A catalogue", options, memoryOptionNames);
  checkPresent({ ...options }, { strict: "true or false", brandAliases: "an object", now: "a function" });
  for (const [name, brand] of Object.entries(options.brandAliases ?? {}))
    checkOption(`brandAliases.${name}`, brand, "a text");
}

function checkedLeast(options: ReplaceOptions): number {
  checkOption("options of replace", options, "an object");
  checkMembers("replace", options, replaceNames);
  const { leastVehicles = 0 } = options;
  if (typeof leastVehicles === "number" && leastVehicles >= 0) return leastVehicles;
  throw new TypeError(`leastVehicles must be a number from 0; got ${show(leastVehicles)}.`);
}

function checkIds(ids: unknown, name: string): void {
  if (Array.isArray(ids) && ids.every((id) => typeof id === "string")) return;
  throw new TypeError(`${name} must be a list of ids, which are texts`);
}

function refuseProblems({ problems, omitted }: ReadVehicles): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  const count = others.length + omitted.problems;
  const more = count === 0 ? "" : ` (and ${count} more)`;
  throw new CatalogueError("invalid_data", `${formatRecordProblem(first)}${more}`, { problems });
}

function refuseFewer({ vehicles, problems }: ReadVehicles, least: number): void {
  if (vehicles.length >= least) return;
  const message = `only ${vehicles.length} vehicles are right, and at least ${least} must be`;
  throw new CatalogueError("shrunk", message, { problems });
}
