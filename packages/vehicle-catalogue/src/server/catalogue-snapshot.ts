import { limits } from "../protocol.js";
import type { Vehicle } from "../vehicle.js";
import type { BrandSelection, VehicleQuery, VehicleSearch, VehicleSelection } from "./catalogue.js";
import { Fingerprint } from "./fingerprint.js";
import {
  type PreparedBrand,
  type PreparedVehicle,
  prepareBrand,
  prepareVehicle,
} from "./prepared-vehicle.js";
import { createSearchIndex, type SearchExplanation, type SearchIndex } from "./search/search-index.js";
import { compareBrands, compareOrderKeys, orderKey } from "./vehicle-order.js";

/** One version of a catalogue in memory: never changes once it is made. */
export interface CatalogueSnapshot {
  readonly version: string;
  readonly vehicles: readonly PreparedVehicle[];
  find(query: VehicleQuery): VehicleSelection;
  search(query: VehicleSearch): VehicleSelection;
  explain(query: VehicleSearch): readonly SearchExplanation[];
  brands(): BrandSelection;
}

/** Orders, serialises and indexes vehicles. */
export function createSnapshot(
  given: readonly Vehicle[],
  aliases: ReadonlyMap<string, string>,
): CatalogueSnapshot {
  const ordered = given.map(orderKey).sort(compareOrderKeys);
  const brandsById = new Map<string, PreparedBrand>();
  const vehicles = ordered.map(({ vehicle }) => {
    const { manufacturer } = vehicle;
    const brand = brandsById.get(manufacturer.id) ?? prepareBrand(manufacturer);
    brandsById.set(manufacturer.id, brand);
    return prepareVehicle(vehicle, brand);
  });
  const brands = [...brandsById.values()].sort((a, b) => compareBrands(a.brand, b.brand));
  const version = nameVersion(vehicles, brands);
  const select = selector(vehicles);
  const index = createSearchIndex(vehicles.map(searchedTexts), aliases);

  return {
    version,
    vehicles,
    find(query) {
      const positions = select(query);
      const { offset, limit } = query;
      const page =
        positions === undefined
          ? vehicles.slice(offset, offset + limit)
          : positions.slice(offset, offset + limit).flatMap((position) => vehicles[position] ?? []);
      return { version, vehicles: page, overallCount: positions?.length ?? vehicles.length };
    },
    search({ text, offset, limit }) {
      const hits = index.search(text, limits.searchResults);
      const page = hits.slice(offset, offset + limit).flatMap(({ position }) => vehicles[position] ?? []);
      return { version, vehicles: page, overallCount: hits.length };
    },
    explain: (query) => explainPage(index, query),
    brands: () => ({ version, brands }),
  };
}

function searchedTexts({ vehicle }: PreparedVehicle): { brand: string; model: string; variant: string } {
  return { brand: vehicle.manufacturer.name, model: vehicle.model, variant: vehicle.variant };
}

function explainPage(
  index: SearchIndex,
  { text, offset, limit }: VehicleSearch,
): readonly SearchExplanation[] {
  const hits = index.search(text, limits.searchResults).slice(offset, offset + limit);
  return hits.flatMap(({ position }) => index.explain(text, position) ?? []);
}

function nameVersion(vehicles: readonly PreparedVehicle[], brands: readonly PreparedBrand[]): string {
  const fingerprint = new Fingerprint();
  for (const { bytes } of brands) fingerprint.bytes(bytes);
  for (const { bytes } of vehicles) fingerprint.bytes(bytes);
  return fingerprint.toString();
}

/** Returns what turns the filters of a query into rising positions; undefined stands for all vehicles. */
function selector(
  vehicles: readonly PreparedVehicle[],
): (query: VehicleQuery) => readonly number[] | undefined {
  const byId = new Map<string, number>();
  const byBrand = new Map<string, number[]>();
  for (const [position, { vehicle }] of vehicles.entries()) {
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
    return positions.filter((at) => brandIds.has(vehicles[at]?.vehicle.manufacturer.id.toLowerCase() ?? ""));
  };
}

function distinct(ids: readonly string[] = []): ReadonlySet<string> {
  return new Set(ids.map((id) => id.toLowerCase()));
}
