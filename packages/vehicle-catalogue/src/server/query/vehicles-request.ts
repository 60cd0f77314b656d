import { limits } from "../../protocol.js";
import { vehicleTypes } from "../../vehicle.js";
import { brandType } from "../../vehicle-resource.js";
import type { ParsedQuery } from "./parse-query.js";

/** What a valid query string of `GET /v2/vehicles` asks for. */
export interface VehiclesRequest {
  readonly ids: readonly string[] | undefined;
  readonly manufacturerIds: readonly string[] | undefined;
  readonly text: string | undefined;
  readonly pageSize: number;
  readonly pageNumber: number;
  readonly withBrands: boolean;
}

/** The names of fields per resource type; a type that is not there has all of its fields. */
export type Fieldsets = ReadonlyMap<string, ReadonlySet<string>>;

/** Takes what is asked for out of a query without problems. */
export function vehiclesRequest({ lists, numbers, texts }: ParsedQuery): VehiclesRequest {
  return {
    ids: lists.get("filter[id]"),
    manufacturerIds: lists.get("filter[manufacturer.id]"),
    text: texts.get("q"),
    pageSize: numbers.get("page[size]") ?? limits.defaultPageSize,
    pageNumber: numbers.get("page[number]") ?? 1,
    withBrands: lists.get("include")?.includes("manufacturer") ?? true,
  };
}

/** Takes the sparse fieldsets out of it. */
export function fieldsets({ lists }: ParsedQuery): Fieldsets {
  const sets = new Map<string, ReadonlySet<string>>();
  for (const type of [...vehicleTypes, brandType]) {
    const names = lists.get(`fields[${type}]`);
    if (names !== undefined) sets.set(type, new Set(names));
  }
  return sets;
}

/** Where a page begins; a page number beyond exact numbers is beyond every catalogue. */
export function pageOffset({ pageNumber, pageSize }: VehiclesRequest): number {
  return Math.min((pageNumber - 1) * pageSize, Number.MAX_SAFE_INTEGER - pageSize);
}
