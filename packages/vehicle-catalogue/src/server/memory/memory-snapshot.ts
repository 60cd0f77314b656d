import type { Brand } from "../../brand.js";
import { limits } from "../../protocol.js";
import { show } from "../../records/check-value.js";
import type { Vehicle } from "../../vehicle.js";
import { type Awaitable, whenThere } from "../awaitable.js";
import type {
  AdditionalQuery,
  CatalogueCall,
  CatalogueSnapshot,
  VehicleQuery,
  VehicleSearch,
  VehicleSelection,
} from "../catalogue.js";
import type { SearchHit } from "../search/best-hits.js";
import type { SearchView } from "../search/growing-index.js";
import type { SearchExplanation } from "../search/search-explanation.js";
import { soon } from "./in-slices.js";
import { isRefined, refined } from "./refined.js";
import type { TableState, VehicleTable } from "./vehicle-table.js";

/**
 * One version of a catalogue in memory. Its answers are there at once; only those about attributes may come later, because of a large
 * catalogue they are worked out in slices.
 */
export interface MemorySnapshot extends CatalogueSnapshot {
  readonly restrictedVersion: string;
  readonly updatedAt: number;
  find(query: PlainQuery): VehicleSelection;
  find(query: VehicleQuery, call?: CatalogueCall): Awaitable<VehicleSelection>;
  search(query: VehicleSearch): VehicleSelection;
  brands(): readonly Brand[];
  /** The vehicles that `search` answers, and for each why it stands there. */
  explain(query: VehicleSearch): readonly ExplainedVehicle[];
}

/** A query without anything beyond the documented API. */
export type PlainQuery = Omit<VehicleQuery, AdditionalQuery> & { readonly [Name in AdditionalQuery]?: never };

/** A result of a search, and the parts of its score. */
export interface ExplainedVehicle {
  readonly vehicle: Vehicle;
  readonly explanation: SearchExplanation;
}

/** A snapshot of the present state of a table. It stays as it is when the table changes. */
export function createSnapshot(table: VehicleTable): MemorySnapshot {
  const { state } = table;
  const { version, restrictedVersion, order, brands, updatedAt } = state;
  const ranks = once(() => ranksOf(state));
  const placesOfBrands = new Map<string, Uint32Array>();

  const selection = (rows: ArrayLike<number>, overallCount: number): VehicleSelection => {
    const vehicles = new Array<Vehicle>(rows.length);
    const rowVersions = new Array<string>(rows.length);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      const vehicle = table.vehicles[row];
      if (vehicle !== undefined) vehicles[at] = vehicle;
      rowVersions[at] = table.rowVersion(row);
    }
    return { vehicles, rowVersions, overallCount };
  };

  /** The places of a brand's vehicles in the order, rising. */
  const placesOfBrand = (id: string): Uint32Array => {
    const known = placesOfBrands.get(id);
    if (known !== undefined) return known;
    const rows = table.rowsOfBrand(id).filter((row) => table.has(state, row));
    if (rows.length === 0) return rows;
    const places = rows.map((row) => ranks()[row] ?? 0).sort();
    placesOfBrands.set(id, places);
    return places;
  };

  /** The places of what ids select, rising; undefined stands for all vehicles. */
  const selectByIds = ({ ids, manufacturerIds }: VehicleQuery): Uint32Array | undefined => {
    checkIds("ids", ids);
    checkIds("manufacturerIds", manufacturerIds);
    if (ids === undefined)
      return manufacturerIds && united(Array.from(distinct(manufacturerIds), placesOfBrand));
    const places = new Uint32Array(ids.length);
    const brandIds = manufacturerIds && distinct(manufacturerIds);
    let found = 0;
    for (const id of ids) {
      const row = table.rowOf(state, id);
      if (row === undefined || (brandIds !== undefined && !brandIds.has(brandIdOf(row)))) continue;
      places[found++] = ranks()[row] ?? 0;
    }
    return withoutRepeats(places.subarray(0, found).sort());
  };
  const brandIdOf = (row: number): string => table.vehicles[row]?.manufacturer.id.toLowerCase() ?? "";

  const pageOf = (places: Uint32Array | undefined, { offset, limit }: VehicleQuery): VehicleSelection => {
    if (places === undefined) return selection(order.subarray(offset, offset + limit), order.length);
    const rows: number[] = [];
    for (let at = offset; at < Math.min(offset + limit, places.length); at++) {
      rows.push(order[places[at] ?? 0] ?? 0);
    }
    return selection(rows, places.length);
  };

  function find(query: PlainQuery): VehicleSelection;
  function find(query: VehicleQuery, call?: CatalogueCall): Awaitable<VehicleSelection>;
  function find(query: VehicleQuery, call?: CatalogueCall): Awaitable<VehicleSelection> {
    checkPage("find", query);
    const selected = selectByIds(query);
    if (!isRefined(query)) return pageOf(selected, query);
    const places = soon(refined(table, state, selected, query), call);
    return whenThere(places, (found) => pageOf(found, query));
  }

  const view = (): SearchView => {
    const rank = (row: number): number => ranks()[row] ?? 0;
    const has = (row: number): boolean => table.has(state, row);
    // The index counts for the present state; for another one it has to count anew.
    if (table.state !== state) return { length: order.length, rank, has };
    if (table.settled && table.gone === 0) return { length: order.length, rank };
    return { length: order.length, rank, isGone: (row) => !has(row) };
  };
  const hits = (text: string): readonly SearchHit[] => table.index.search(text, limits.searchResults, view());

  return {
    version,
    restrictedVersion,
    updatedAt,
    find,
    search(query) {
      checkPage("search", query);
      const { text, offset, limit } = query;
      const found = hits(text);
      return selection(
        found.slice(offset, offset + limit).map(({ position }) => position),
        found.length,
      );
    },
    explain(query) {
      checkPage("explain", query);
      const { text, offset, limit } = query;
      return hits(text)
        .slice(offset, offset + limit)
        .flatMap(({ position }) => {
          const vehicle = table.vehicles[position];
          const explanation = table.index.explain(text, position, view());
          return vehicle === undefined || explanation === undefined ? [] : { vehicle, explanation };
        });
    },
    brands: () => brands,
  };
}

/** Without these two there would be an empty page, and nobody would say why. */
function checkPage(name: string, query: Pick<VehicleQuery, "offset" | "limit">): void {
  if (isCount(query?.offset) && isCount(query.limit)) return;
  throw new TypeError(`${name} needs offset and limit, which are numbers from 0.`);
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && value >= 0;
}

function checkIds(name: string, ids: unknown): void {
  if (ids === undefined || (Array.isArray(ids) && ids.every((id) => typeof id === "string"))) return;
  throw new TypeError(`${name} of find must be a list of texts; got ${show(ids)}.`);
}

function ranksOf({ order, rows }: TableState): Uint32Array {
  const ranks = new Uint32Array(rows);
  for (let place = 0; place < order.length; place++) ranks[order[place] ?? 0] = place;
  return ranks;
}

function united(lists: readonly Uint32Array[]): Uint32Array {
  const [only = new Uint32Array(0), ...others] = lists;
  if (others.length === 0) return only;
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all.sort();
}

/** Rising numbers, each once. */
function withoutRepeats(rising: Uint32Array): Uint32Array {
  let length = 0;
  for (let at = 0; at < rising.length; at++) {
    const number = rising[at] ?? 0;
    if (at === 0 || number !== rising[length - 1]) rising[length++] = number;
  }
  return rising.subarray(0, length);
}

/** Ids without regard to letter case, each once. */
function distinct(ids: readonly string[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const id of ids) keys.add(id.toLowerCase());
  return keys;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
