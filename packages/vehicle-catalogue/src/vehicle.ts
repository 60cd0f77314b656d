import type { Brand } from "./brand.js";
import type { VehicleAttributeName, VehicleAttributes } from "./vehicle-attributes.js";

/** The resource types of vehicles. Each has its own sparse fieldset: `fields[car]`, `fields[motorbike]`. */
export const vehicleTypes = ["car", "motorbike"] as const;

/** One of the resource types of vehicles. */
export type VehicleType = (typeof vehicleTypes)[number];

/** A vehicle as a program uses it: attributes and manufacturer beside id and type. */
export interface VehicleOf<Type extends string> extends VehicleAttributes {
  readonly id: string;
  readonly type: Type;
  readonly manufacturer: Brand;
}

/** A car as a program uses it. */
export type Car = VehicleOf<"car">;
/** A motorbike as a program uses it. */
export type Motorbike = VehicleOf<"motorbike">;

/** Told apart by `type`. */
export type Vehicle = Car | Motorbike;

/** The names that `fields[car]` and `fields[motorbike]` may list: the attributes and the one relationship. */
export type VehicleFieldName = VehicleAttributeName | "manufacturer";
