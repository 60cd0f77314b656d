import { limits } from "../../protocol.js";
import { vehicleTypes } from "../../vehicle.js";
import { brandType } from "../../vehicle-resource.js";
import type { VehicleCondition, VehicleOrder, VehicleQuery } from "../catalogue.js";
import { bounds, updatedSinceName } from "./attribute-parameters.js";
import type { Parameter } from "./parameter-table.js";
import type { ParsedQuery } from "./parse-query.js";
import { readValue } from "./read-value.js";

/** What a valid query string of `GET /v2/vehicles` asks for. */
export interface VehiclesRequest {
  /** The filters and the order; only what was asked for is there. */
  readonly selection: Omit<VehicleQuery, "offset" | "limit">;
  readonly text: string | undefined;
  readonly pageSize: number;
  readonly pageNumber: number;
  readonly withBrands: boolean;
}

/** The names of fields per resource type; a type that is not there has all of its fields. */
export type Fieldsets = ReadonlyMap<string, ReadonlySet<string>>;

/** Takes what is asked for out of a query without problems, by the table that it was read by. */
export function vehiclesRequest(query: ParsedQuery, table: readonly Parameter[]): VehiclesRequest {
  const { lists, numbers, texts } = query;
  return {
    selection: selectionOf(query, table),
    text: texts.get("q"),
    pageSize: numbers.get("page[size]") ?? limits.defaultPageSize,
    pageNumber: numbers.get("page[number]") ?? 1,
    withBrands: lists.get("include")?.includes("manufacturer") ?? true,
  };
}

function selectionOf(query: ParsedQuery, table: readonly Parameter[]): VehiclesRequest["selection"] {
  const { lists, numbers } = query;
  const ids = lists.get("filter[id]");
  const manufacturerIds = lists.get("filter[manufacturer.id]");
  const conditions = table.flatMap((row) => conditionsOf(row, query));
  const order = lists.get("sort")?.map(orderOf);
  const updatedSince = numbers.get(updatedSinceName);
  return {
    ...(ids === undefined ? {} : { ids }),
    ...(manufacturerIds === undefined ? {} : { manufacturerIds }),
    ...(conditions.length === 0 ? {} : { conditions }),
    ...(order === undefined ? {} : { order }),
    ...(updatedSince === undefined ? {} : { updatedSince }),
  };
}

function conditionsOf(row: Parameter, { lists, numbers }: ParsedQuery): readonly VehicleCondition[] {
  if (row.kind !== "values") return [];
  const { attribute, name } = row;
  const conditions: VehicleCondition[] = [];
  const asked = lists.get(name);
  if (asked !== undefined) {
    const values = asked.flatMap((text) => readValue(attribute, text) ?? []);
    conditions.push({ attribute: attribute.name, is: "in", values });
  }
  for (const is of bounds) {
    const bound = numbers.get(`${name}[${is}]`);
    if (bound !== undefined) conditions.push({ attribute: attribute.name, is, bound });
  }
  return conditions;
}

function orderOf(item: string): VehicleOrder {
  const isDescending = item.startsWith("-");
  return { attribute: isDescending ? item.slice(1) : item, isDescending };
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
