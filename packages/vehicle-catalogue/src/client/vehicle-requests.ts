import type { AttributeFilter, VehicleSortKey } from "./attribute-filter.js";
import type { BrandFieldList, VehicleFieldList } from "./fetched-vehicle.js";

/** What every call accepts. */
export interface CallOptions {
  /** Ends the call wherever it is; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Instead of the client's `deadlineMs`. */
  readonly deadlineMs?: number | undefined;
}

/** The fields wanted per type of resource. A type that is not named comes with all of its fields. */
export interface FieldSelection<
  CarFields extends VehicleFieldList = VehicleFieldList,
  MotorbikeFields extends VehicleFieldList = VehicleFieldList,
  BrandFields extends BrandFieldList = BrandFieldList,
> {
  readonly car?: CarFields;
  readonly motorbike?: MotorbikeFields;
  readonly vehicle_brand?: BrandFields;
}

/** Filters: a vehicle must pass all that are there. An empty list lets none pass; ids nobody has are no error. */
export interface VehicleFilter {
  /** Only these vehicles, in this order. A list may be of any length: the client asks in several requests. */
  readonly id?: readonly string[] | undefined;
  /** Only vehicles of these brands. */
  readonly manufacturerId?: readonly string[] | undefined;
  /** Only vehicles of which this holds. The server has to offer it, as all below. */
  readonly attributes?: AttributeFilter | undefined;
  /** Only vehicles that came or changed at this time or later: the `lastModified` of an earlier page, or any other time. */
  readonly updatedSince?: Date | string | undefined;
}

/** Either a fuzzy search over manufacturer, model and variant, best match first and at most 25 results, or filters. */
export type VehicleSelection =
  | { readonly q: string; readonly filter?: never; readonly sort?: never }
  | {
      readonly q?: never;
      readonly filter?: VehicleFilter | undefined;
      /** What to order by, if the server offers that; equals are in the usual order. Not with a list of ids. */
      readonly sort?: readonly VehicleSortKey[] | undefined;
    };

/** What `byId()` accepts beside the id. */
export interface VehicleRequest<
  CarFields extends VehicleFieldList = VehicleFieldList,
  MotorbikeFields extends VehicleFieldList = VehicleFieldList,
  BrandFields extends BrandFieldList = BrandFieldList,
> extends CallOptions {
  readonly fields?: FieldSelection<CarFields, MotorbikeFields, BrandFields>;
}

/** What `search()` accepts beside the text. */
export interface SearchRequest<
  CarFields extends VehicleFieldList = VehicleFieldList,
  MotorbikeFields extends VehicleFieldList = VehicleFieldList,
  BrandFields extends BrandFieldList = BrandFieldList,
> extends VehicleRequest<CarFields, MotorbikeFields, BrandFields> {
  /** Vehicles per page: 1 to 100, 100 if not given. */
  readonly size?: number | undefined;
  /** Which page, or the first of them where all are read: 1 if not given. */
  readonly number?: number | undefined;
}

/** What `page()`, `pages()` and `vehicles()` accept. */
export type VehiclesRequest<
  CarFields extends VehicleFieldList = VehicleFieldList,
  MotorbikeFields extends VehicleFieldList = VehicleFieldList,
  BrandFields extends BrandFieldList = BrandFieldList,
> = SearchRequest<CarFields, MotorbikeFields, BrandFields> & VehicleSelection;
