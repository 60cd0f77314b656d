import type { Brand, BrandAttributeName, BrandAttributes } from "../brand.js";
import type { VehicleFieldName } from "../vehicle.js";
import type { VehicleAttributes } from "../vehicle-attributes.js";

/** A field that `fields` may list for a type of vehicle. `id` and `type` always come; listing them changes nothing. */
export type VehicleField = VehicleFieldName | "id" | "type";

/** A field that `fields` may list for brands. */
export type BrandField = BrandAttributeName | "id" | "type";

/** The fields wanted of a type of vehicle; `undefined` stands for all of them. */
export type VehicleFieldList = readonly VehicleField[] | undefined;

/** The fields wanted of brands; `undefined` stands for all of them. */
export type BrandFieldList = readonly BrandField[] | undefined;

/** A car with the fields that were asked for. */
export type FetchedCar<
  Fields extends VehicleFieldList = undefined,
  BrandFields extends BrandFieldList = undefined,
> = FetchedResource<"car", Fields, BrandFields>;

/** A motorbike with the fields that were asked for. */
export type FetchedMotorbike<
  Fields extends VehicleFieldList = undefined,
  BrandFields extends BrandFieldList = undefined,
> = FetchedResource<"motorbike", Fields, BrandFields>;

/**
 * A vehicle with the fields that were asked for, told apart by `type`. Should the operator add a type of vehicle, those
 * come as well, with that `type`.
 */
export type FetchedVehicle<
  CarFields extends VehicleFieldList = undefined,
  MotorbikeFields extends VehicleFieldList = undefined,
  BrandFields extends BrandFieldList = undefined,
> = FetchedCar<CarFields, BrandFields> | FetchedMotorbike<MotorbikeFields, BrandFields>;

/**
 * The brand of a vehicle: with its name, without it where the document only pointed at the brand, or null where it did
 * not even do that.
 */
export type FetchedManufacturer<BrandFields extends BrandFieldList = undefined> =
  | FetchedBrand<BrandFields>
  | UnresolvedBrand
  | null;

/** A brand with the fields that were asked for. */
export type FetchedBrand<BrandFields extends BrandFieldList = undefined> = BrandFields extends undefined
  ? Brand
  : Flat<{ readonly id: string } & SelectedFields<BrandAttributes, BrandFields>>;

/** A brand that the document points at and does not contain. */
export interface UnresolvedBrand {
  readonly id: string;
  readonly name?: undefined;
}

/** The attributes that only a key of the group `ReadVehiclesFull` sees: for all other keys they are not there. */
export type WithheldAttributeName = "ac_power_per_charging_point" | "dc_charging_curve";

/** What vehicles of all types have in common. */
export type FetchedResource<Type, Fields, BrandFields extends BrandFieldList> = Flat<
  { readonly id: string; readonly type: Type } & SelectedFields<
    Omit<VehicleAttributes, WithheldAttributeName> &
      Partial<Pick<VehicleAttributes, WithheldAttributeName>> & {
        readonly manufacturer: FetchedManufacturer<BrandFields>;
      },
    Fields
  >
>;

/** The members of `All` that a list names: certainly there, or possibly where the list is known only at run time. */
export type SelectedFields<All, List> = List extends readonly unknown[]
  ? Pick<All, Certain<List> & keyof All> &
      Partial<Pick<All, Exclude<List[number], Certain<List>> & keyof All>>
  : All;

/** The elements of a list that are known one by one. */
type Certain<List> = List extends readonly [infer First, ...infer Rest]
  ? Single<First> | Certain<Rest>
  : never;

/** `T`, unless it is a union: an element that is one of several names none for certain. */
type Single<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? T : never) : never;

/** One object type instead of an intersection, so that editors show its members. */
type Flat<T> = { [Name in keyof T]: T[Name] } & {};
