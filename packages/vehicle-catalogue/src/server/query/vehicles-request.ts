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
  /** The filters, the order and the page; of filters and orders only what was asked for is there. */
  readonly selection: VehicleQuery;
  readonly text: string | undefined;
  readonly pageSize: number;
  readonly pageNumber: number;
  readonly withBrands: boolean;
}

/** The names of fields per resource type; a type that is not there has all of its fields. */
export type Fieldsets = ReadonlyMap<string, ReadonlySet<string>>;

/** A parameter that compares an attribute with values. */
export type Comparison = Parameter & { readonly kind: "values" };

/** The comparisons in a table of parameters. */
export function comparisonsOf(table: readonly Parameter[]): readonly Comparison[] {
  return table.filter((row) => row.kind === "values");
}

/** Takes what is asked for out of a query without problems; `comparisons` are those of the table that it was read by. */
export function vehiclesRequest(query: ParsedQuery, comparisons: readonly Comparison[]): VehiclesRequest {
  const { lists, numbers, texts } = query;
  const pageSize = numbers.get("page[size]") ?? limits.defaultPageSize;
  const pageNumber = numbers.get("page[number]") ?? 1;
  return {
    selection: selectionOf(query, comparisons, pageOffset(pageNumber, pageSize), pageSize),
    text: texts.get("q"),
    pageSize,
    pageNumber,
    withBrands: lists.get("include")?.includes("manufacturer") ?? true,
  };
}

function selectionOf(
  query: ParsedQuery,
  comparisons: readonly Comparison[],
  offset: number,
  limit: number,
): VehicleQuery {
  const { lists, numbers } = query;
  const ids = lists.get("filter[id]");
  const manufacturerIds = lists.get("filter[manufacturer.id]");
  const conditions = comparisons.flatMap((row) => conditionsOf(row, query));
  const order = lists.get("sort")?.map(orderOf);
  const updatedSince = numbers.get(updatedSinceName);
  const selection: { -readonly [Name in keyof VehicleQuery]: VehicleQuery[Name] } = { offset, limit };
  if (ids !== undefined) selection.ids = ids;
  if (manufacturerIds !== undefined) selection.manufacturerIds = manufacturerIds;
  if (conditions.length > 0) selection.conditions = conditions;
  if (order !== undefined) selection.order = order;
  if (updatedSince !== undefined) selection.updatedSince = updatedSince;
  return selection;
}

function conditionsOf(
  { attribute, name }: Comparison,
  { lists, numbers }: ParsedQuery,
): readonly VehicleCondition[] {
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

const fieldParameters = [...vehicleTypes, brandType].map((type) => [type, `fields[${type}]`] as const);

/** Takes the sparse fieldsets out of it. */
export function fieldsets({ lists }: ParsedQuery): Fieldsets {
  const sets = new Map<string, ReadonlySet<string>>();
  for (const [type, parameter] of fieldParameters) {
    const names = lists.get(parameter);
    if (names !== undefined) sets.set(type, new Set(names));
  }
  return sets;
}

/** Where a page begins; a page number beyond exact numbers is beyond every catalogue. */
function pageOffset(pageNumber: number, pageSize: number): number {
  return Math.min((pageNumber - 1) * pageSize, Number.MAX_SAFE_INTEGER - pageSize);
}
