import { CatalogueError } from "../catalogue-error.js";
import { isOpenEvData, vehiclesFromOpenEvData } from "../open-ev-data/vehicles-from-open-ev-data.js";
import { isRecord } from "../records/check-value.js";
import { type ReadVehicles, readVehicles } from "../records/read-vehicles.js";
import { formatRecordProblem, type RecordProblem, type RecordRepair } from "../records/record-problem.js";
import type { VehicleInput } from "../records/vehicle-input.js";
import type { Vehicle } from "../vehicle.js";
import type {
  BrandSelection,
  Catalogue,
  VehicleQuery,
  VehicleSearch,
  VehicleSelection,
} from "./catalogue.js";
import { createSnapshot } from "./catalogue-snapshot.js";
import { blankFree, wordsOf } from "./search/fold-text.js";
import type { SearchExplanation } from "./search/search-index.js";
import { brandAliases } from "./search/vocabulary.js";

/** How a list is loaded and searched. */
export interface MemoryCatalogueOptions {
  /** Refuse the whole list when any record is wrong. By default wrong records are left out and reported. */
  readonly strict?: boolean;
  /**
   * Further brand short names for the search, each one word as people type it: `{ vw: "Volkswagen" }`. A table of common ones is
   * always in force; an entry here wins over it.
   */
  readonly brandAliases?: Readonly<Record<string, string>>;
}

/** What a replacement must be like. */
export interface ReplaceOptions {
  /** Refuse data with fewer right records than this, with the code `shrunk`. Default: 0. */
  readonly leastVehicles?: number;
}

/** What came of loading a list. */
export interface LoadReport {
  /** How many vehicles are in the catalogue. */
  readonly loaded: number;
  /** Everything that is wrong with records; a record with a problem was left out. */
  readonly problems: readonly RecordProblem[];
  /** Every value that was mended. */
  readonly repairs: readonly RecordRepair[];
}

/** A selection, and for every vehicle on it why it stands there. */
export interface ExplainedSelection extends VehicleSelection {
  readonly explanations: readonly SearchExplanation[];
}

/** A catalogue that is all in memory. Its answers are there at once. */
export interface MemoryCatalogue extends Catalogue {
  /** What came of the last successful loading. */
  readonly report: LoadReport;
  /** All vehicles, in order. */
  readonly vehicles: readonly Vehicle[];
  /**
   * Puts other data in place of the present ones, between two requests: every response is of the old data or of the new
   * ones. Takes what `catalogueFromJson` takes. Records of which none is right are refused even if not strict. When it
   * throws, the old data stay.
   */
  replace(data: unknown, options?: ReplaceOptions): LoadReport;
  version(): string;
  find(query: VehicleQuery): VehicleSelection;
  search(query: VehicleSearch & { readonly explain: true }): ExplainedSelection;
  search(query: VehicleSearch): VehicleSelection;
  brands(): BrandSelection;
}

/** A catalogue of vehicles that a program has at hand, such as those a client fetched. */
export function catalogueFromVehicles(
  vehicles: readonly VehicleInput[],
  options?: MemoryCatalogueOptions,
): MemoryCatalogue {
  return createMemoryCatalogue(readVehicles(vehicles), options);
}

/** A catalogue of a parsed Open EV Data file (`ev-data.json`). */
export function catalogueFromOpenEvData(file: unknown, options?: MemoryCatalogueOptions): MemoryCatalogue {
  return createMemoryCatalogue(vehiclesFromOpenEvData(file), options);
}

/** A catalogue of parsed JSON of unknown shape: a list of vehicles, `{ "vehicles": [...] }`, or Open EV Data. */
export function catalogueFromJson(data: unknown, options?: MemoryCatalogueOptions): MemoryCatalogue {
  return createMemoryCatalogue(readCatalogueData(data), options);
}

function readCatalogueData(data: unknown): ReadVehicles {
  if (isOpenEvData(data)) return vehiclesFromOpenEvData(data);
  const list = isRecord(data) ? data.vehicles : data;
  if (Array.isArray(list)) return readVehicles(list);
  throw new CatalogueError(
    "invalid_data",
    'not a catalogue: expected a list of vehicles, an object with the list "vehicles", or an Open EV Data file with the lists "data" and "brands"',
  );
}

function createMemoryCatalogue(first: ReadVehicles, options: MemoryCatalogueOptions = {}): MemoryCatalogue {
  const aliases = aliasesOf(options.brandAliases);
  const load = (read: ReadVehicles) => {
    if (options.strict === true) refuseProblems(read);
    const { problems, repairs } = read;
    const snapshot = createSnapshot(read.vehicles, aliases);
    return { snapshot, report: { loaded: snapshot.vehicles.length, problems, repairs } };
  };
  let current = load(first);

  function search(query: VehicleSearch & { readonly explain: true }): ExplainedSelection;
  function search(query: VehicleSearch): VehicleSelection;
  function search(query: VehicleSearch & { readonly explain?: true }): VehicleSelection | ExplainedSelection {
    const { snapshot } = current;
    const selection = snapshot.search(query);
    return query.explain === true ? { ...selection, explanations: snapshot.explain(query) } : selection;
  }

  return {
    get report() {
      return current.report;
    },
    get vehicles() {
      return current.snapshot.vehicles.map(({ vehicle }) => vehicle);
    },
    replace(data, { leastVehicles = 0 } = {}) {
      const read = readCatalogueData(data);
      if (read.vehicles.length === 0) refuseProblems(read);
      refuseFewer(read, leastVehicles);
      // Everything is made before anything is swapped: a request sees either version, whole.
      current = load(read);
      return current.report;
    },
    version: () => current.snapshot.version,
    find: (query) => current.snapshot.find(query),
    search,
    brands: () => current.snapshot.brands(),
  };
}

/** Both sides of an alias are compared as the search folds texts. */
function aliasesOf(own: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  const folded = Object.entries(own).map(
    ([name, brand]) => [blankFree(name), wordsOf(brand).join(" ")] as const,
  );
  return new Map([...brandAliases, ...folded]);
}

function refuseFewer({ vehicles, problems }: ReadVehicles, least: number): void {
  if (vehicles.length >= least) return;
  throw new CatalogueError(
    "shrunk",
    `only ${vehicles.length} vehicles are right, and at least ${least} must be`,
    {
      problems,
    },
  );
}

function refuseProblems({ problems }: ReadVehicles): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  throw new CatalogueError("invalid_data", `${formatRecordProblem(first)}${more}`, { problems });
}
