import type { VehicleExtension } from "../records/vehicle-rules.js";

/** The name of an addition to the documented API, in `meta` and in the OpenAPI description. */
export type Addition =
  | "open_values"
  | "attributes"
  | "attribute_filters"
  | "sort"
  | "updated_since"
  | "rate_limit_headers"
  | "max_age";

/** What a router answers beyond the documented API. */
export const additionKinds: Readonly<Record<Addition, string>> = {
  open_values:
    "Attributes that are one of a list of texts, or a list of such, may have texts that are not documented.",
  attributes: "Vehicles have attributes that are not documented.",
  attribute_filters: "Filters on attributes.",
  sort: "An order of one's choice.",
  updated_since: "`Last-Modified`, and a filter on the time of the last change.",
  rate_limit_headers: "Headers that tell what is left of the rate limit.",
  max_age: "Documents may be used for a while without asking again.",
};

/** What clients may ask for beyond the documented API. The catalogue has to be able to answer it. */
export interface QueryAdditions {
  /** Filters on attributes: `filter[ev_type]=bev`, `filter[usable_battery_size][gte]=50`. Default: false. */
  readonly attributeFilters?: boolean;
  /** An order: `sort=-usable_battery_size,model`. Default: false. */
  readonly sort?: boolean;
  /** `Last-Modified`, and `filter[updated_since]` with such a time. Default: false. */
  readonly updatedSince?: boolean;
}

/** What decides which additions there are. */
export interface AdditionSources {
  readonly extension?: VehicleExtension | undefined;
  readonly additions?: QueryAdditions | undefined;
  readonly announcesLimit?: boolean;
  readonly maxAgeSeconds?: number;
}

/** The additions that are switched on, in the order of their table. */
export function additionsOf(sources: AdditionSources): readonly Addition[] {
  const { extension = {}, additions = {}, announcesLimit = false, maxAgeSeconds = 0 } = sources;
  const isOn: Readonly<Record<Addition, boolean>> = {
    open_values: extension.openValues === true,
    attributes: Object.keys(extension.attributes ?? {}).length > 0,
    attribute_filters: additions.attributeFilters === true,
    sort: additions.sort === true,
    updated_since: additions.updatedSince === true,
    rate_limit_headers: announcesLimit,
    max_age: maxAgeSeconds > 0,
  };
  // The keys of a literal are exactly the keys of its type.
  return (Object.keys(additionKinds) as Addition[]).filter((name) => isOn[name]);
}
