import type { VehicleType } from "../vehicle.js";
import type { VehicleAttributes } from "../vehicle-attributes.js";
import type { WithheldAttributeName } from "./fetched-vehicle.js";

/** The attributes that can be asked about, members of them by both names. Those that some keys do not see cannot. */
export interface ComparedAttributes
  extends Omit<VehicleAttributes, WithheldAttributeName | "energy_consumption"> {
  readonly type: VehicleType;
  readonly "manufacturer.name": string;
  readonly "energy_consumption.average_consumption": number;
}

/** Bounds of a number, all of which must hold. */
export interface NumberBounds {
  /** Above this. */
  readonly gt?: number | undefined;
  /** At least this. */
  readonly gte?: number | undefined;
  /** Below this. */
  readonly lt?: number | undefined;
  /** At most this. */
  readonly lte?: number | undefined;
}

/** What an attribute must be: one of a list, an empty one lets nothing pass; a number may have bounds instead. */
export type WantedValue<Value> = [Value] extends [readonly (infer Item)[]]
  ? readonly Item[]
  : [Value] extends [number]
    ? readonly Value[] | NumberBounds
    : readonly Value[];

/**
 * What must hold of attributes, all of it. Texts are compared without regard to letter case; of an attribute that is a list, one item
 * must be among those given; of null, nothing holds.
 */
export type AttributeFilter = {
  readonly [Name in keyof ComparedAttributes]?:
    | WantedValue<NonNullable<ComparedAttributes[Name]>>
    | undefined;
};

/** An attribute to order by; with a minus in front, the other way round. Lists of things have no order. */
export type VehicleSortKey = `${"" | "-"}${SortedAttributeName}`;

export type SortedAttributeName = {
  [Name in keyof ComparedAttributes]: ComparedAttributes[Name] extends readonly unknown[] ? never : Name;
}[keyof ComparedAttributes];
