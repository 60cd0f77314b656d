import type { Brand } from "../brand.js";
import { limits } from "../protocol.js";
import type { Vehicle } from "../vehicle.js";
import type { CatalogueSnapshot, VehicleQuery, VehicleSearch, VehicleSelection } from "./catalogue.js";
import { Fingerprint } from "./fingerprint.js";
import { createSearchIndex, type SearchExplanation } from "./search/search-index.js";
import { compareBrands, compareOrderKeys, orderKey } from "./vehicle-order.js";

/** One version of a catalogue in memory. Its answers are there at once. */
export interface MemorySnapshot extends CatalogueSnapshot {
  find(query: VehicleQuery): VehicleSelection;
  search(query: VehicleSearch): VehicleSelection;
  brands(): readonly Brand[];
  /** The vehicles that `search` answers, and for each why it stands there. */
  explain(query: VehicleSearch): readonly ExplainedVehicle[];
}

/** A result of a search, and the parts of its score. */
export interface ExplainedVehicle {
  readonly vehicle: Vehicle;
  readonly explanation: SearchExplanation;
}

/** Orders and indexes vehicles. */
export function createSnapshot(
  given: readonly Vehicle[],
  aliases: ReadonlyMap<string, string>,
): MemorySnapshot & { readonly vehicles: readonly Vehicle[] } {
  const vehicles = given
    .map(orderKey)
    .sort(compareOrderKeys)
    .map(({ vehicle }) => vehicle);
  const rowVersions = vehicles.map((vehicle) => new Fingerprint().text(JSON.stringify(vehicle)).toString());
  const brands = [...new Map(vehicles.map(({ manufacturer }) => [manufacturer.id, manufacturer])).values()];
  brands.sort(compareBrands);
  const version = new Fingerprint().text(JSON.stringify([...aliases, ...rowVersions])).toString();
  const select = selector(vehicles);
  const index = createSearchIndex(vehicles.map(searchedTexts), aliases);
  const selection = (positions: readonly number[], overallCount: number): VehicleSelection => ({
    vehicles: positions.flatMap((position) => vehicles[position] ?? []),
    rowVersions: positions.flatMap((position) => rowVersions[position] ?? []),
    overallCount,
  });

  return {
    version,
    vehicles,
    find(query) {
      const positions = select(query);
      const { offset, limit } = query;
      if (positions !== undefined) {
        return selection(positions.slice(offset, offset + limit), positions.length);
      }
      return {
        vehicles: vehicles.slice(offset, offset + limit),
        rowVersions: rowVersions.slice(offset, offset + limit),
        overallCount: vehicles.length,
      };
    },
    search({ text, offset, limit }) {
      const hits = index.search(text, limits.searchResults);
      const page = hits.slice(offset, offset + limit).map(({ position }) => position);
      return selection(page, hits.length);
    },
    explain({ text, offset, limit }) {
      const hits = index.search(text, limits.searchResults).slice(offset, offset + limit);
      return hits.flatMap(({ position }) => {
        const vehicle = vehicles[position];
        const explanation = index.explain(text, position);
        return vehicle === undefined || explanation === undefined ? [] : { vehicle, explanation };
      });
    },
    brands: () => brands,
  };
}

function searchedTexts(vehicle: Vehicle): { brand: string; model: string; variant: string } {
  return { brand: vehicle.manufacturer.name, model: vehicle.model, variant: vehicle.variant };
}

/** Returns what turns the filters of a query into rising positions; undefined stands for all vehicles. */
function selector(vehicles: readonly Vehicle[]): (query: VehicleQuery) => readonly number[] | undefined {
  const byId = new Map<string, number>();
  const byBrand = new Map<string, number[]>();
  for (const [position, vehicle] of vehicles.entries()) {
    byId.set(vehicle.id.toLowerCase(), position);
    const brandId = vehicle.manufacturer.id.toLowerCase();
    const members = byBrand.get(brandId);
    if (members === undefined) byBrand.set(brandId, [position]);
    else members.push(position);
  }
  return ({ ids, manufacturerIds }) => {
    if (ids === undefined && manufacturerIds === undefined) return undefined;
    const brandIds = distinct(manufacturerIds);
    if (ids === undefined) {
      const lists = [...brandIds].map((id) => byBrand.get(id) ?? []);
      return lists.length === 1 ? lists[0] : lists.flat().sort((a, b) => a - b);
    }
    const positions = [...distinct(ids)].flatMap((id) => byId.get(id) ?? []).sort((a, b) => a - b);
    if (manufacturerIds === undefined) return positions;
    return positions.filter((at) => brandIds.has(vehicles[at]?.manufacturer.id.toLowerCase() ?? ""));
  };
}

function distinct(ids: readonly string[] = []): ReadonlySet<string> {
  return new Set(ids.map((id) => id.toLowerCase()));
}
