import { limits, paths } from "../protocol.js";
import { attributeParameters } from "./attribute-parameters.js";
import { check, checkMembers, checkObject } from "./check.js";
import type { VehiclesRequest } from "./vehicle-requests.js";

type TextList = readonly string[] | undefined;

/** A request for vehicles, checked, in the words of the API. */
export interface VehiclesQuery {
  readonly q: string | undefined;
  /** `filter[…]` and `fields[…]`: those without a list are not asked for. */
  readonly lists: { readonly [parameter: string]: TextList };
  /** What is beyond the documented API. */
  readonly others: { readonly [parameter: string]: string };
  readonly size: number;
  readonly number: number;
}

/**
 * Throws a `TypeError` for what would be misunderstood, so that callers without types learn of it too. What the API
 * itself refuses with good words is left to it.
 */
export function vehiclesQuery(request: VehiclesRequest): VehiclesQuery {
  const { q, filter, fields, size = limits.defaultPageSize, number = 1 } = request;
  checkObject(filter ?? {}, "filter");
  checkObject(fields ?? {}, "fields");
  check(q === undefined || typeof q === "string", "q must be a text");
  const { id, manufacturerId, attributes, updatedSince, ...otherFilters } = filter ?? {};
  const { car, motorbike, vehicle_brand, ...otherFields } = fields ?? {};
  checkMembers({ ...otherFilters, ...otherFields }, {}, "filter or fields");
  check(q === undefined || !(filter || request.sort), "q excludes filter and sort");
  const lists: { [parameter: string]: TextList } = {
    "filter[id]": id,
    "filter[manufacturer.id]": manufacturerId,
    "fields[car]": car,
    "fields[motorbike]": motorbike,
    "fields[vehicle_brand]": vehicle_brand,
  };
  for (const name in lists) lists[name] = readList(lists[name], name);
  // Pages of a list of ids are cut by the client, so the API has no chance to refuse them.
  const isPage = isFromOne(size) && size <= limits.maxPageSize && isFromOne(number);
  check(!id || isPage, `size must be a whole number from 1 to ${limits.maxPageSize}, number one from 1`);
  return { q, lists, others: attributeParameters(request), size, number };
}

/** The URL of one request. Brackets are escaped, as JSON:API asks of clients. */
export function vehiclesUrl(baseUrl: string, { q, lists, others, size, number }: VehiclesQuery): string {
  const parameters = new URLSearchParams();
  const values = {
    q,
    ...lists,
    ...others,
    "page[size]": size,
    "page[number]": number === 1 ? undefined : number,
  };
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) parameters.set(name, `${value}`);
  }
  return `${baseUrl}${paths.vehicles}?${parameters}`;
}

function isFromOne(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/**
 * Items as the API reads them: it takes off blanks, and what holds a comma would be several. Nobody is called so. Of
 * equal ones the first stays; ids are equal in any letter case, names of fields are not.
 */
function readList(list: TextList, name: string): TextList {
  const isList =
    list === undefined || (Array.isArray(list) && list.every((item) => typeof item === "string"));
  check(isList, `${name} must be an array of texts`);
  const items = new Map<string, string>();
  for (const text of list?.map((text) => text.trim()).filter((text) => text && !text.includes(",")) ?? []) {
    const key = name.startsWith("filter") ? text.toLowerCase() : text;
    items.set(key, items.get(key) ?? text);
  }
  return list && [...items.values()];
}
