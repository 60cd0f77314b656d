import type { Vehicle } from "@wye/vehicle-catalogue";
import type { VehicleInput } from "@wye/vehicle-catalogue/server";
import { searchTextOf } from "./search-text.js";
import { sortKeyOf } from "./sort-key.js";

/** A vehicle as a query gives it, with its brand. */
export interface VehicleRow {
  readonly id: string;
  readonly type: string;
  readonly attributes: object;
  readonly brand_id: string;
  /** Null where there is no such brand, which who writes past the triggers can bring about. */
  readonly brand_name: string | null;
}

/** The columns of a `VehicleRow`, of `vehicles v left join brands b`: a row without its brand is wrong, and not passed over. */
export const vehicleColumns = "v.id, v.type, v.attributes, v.brand_id, b.name as brand_name";

/** A vehicle as it is written. */
export interface WrittenVehicle {
  readonly id: string;
  readonly type: string;
  readonly brand_id: string;
  readonly attributes: object;
  readonly sort_key: string;
  readonly search_text: string;
}

/** What the row says, whatever that is: who reads it checks it. */
export function recordOf({ id, type, attributes, brand_id, brand_name }: VehicleRow): VehicleInput {
  const manufacturer = { id: brand_id, name: brand_name };
  const record = { ...attributes, ...curveOf(attributes), id, type, manufacturer };
  // Anyone may have written to the database. The catalogue in memory takes records of unknown origin.
  return record as unknown as VehicleInput;
}

/** `jsonb` orders the members of objects by their length; the points of a curve are given back as the API has them. */
function curveOf(attributes: object): object {
  const curve: unknown = "dc_charging_curve" in attributes ? attributes.dc_charging_curve : undefined;
  if (!Array.isArray(curve)) return {};
  const points: readonly unknown[] = curve;
  return { dc_charging_curve: points.map((point) => (isPoint(point) ? inOrder(point) : point)) };
}

function isPoint(point: unknown): point is { readonly percentage: unknown } {
  return typeof point === "object" && point !== null && "percentage" in point;
}

function inOrder({ percentage, ...others }: { readonly percentage: unknown }): object {
  return { percentage, ...others };
}

/** The row of a vehicle that was checked. */
export function rowOf(vehicle: Vehicle): WrittenVehicle {
  const { id, type, manufacturer, ...attributes } = vehicle;
  return {
    id,
    type,
    brand_id: manufacturer.id,
    attributes,
    sort_key: sortKeyOf(vehicle),
    search_text: searchTextOf(vehicle),
  };
}
