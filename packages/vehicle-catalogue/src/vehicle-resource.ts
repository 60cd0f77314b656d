import type { BrandAttributes } from "./brand.js";
import type { VehicleType } from "./vehicle.js";
import type { VehicleAttributes } from "./vehicle-attributes.js";

/** The resource type of brands. */
export const brandType = "vehicle_brand" as const;

/** The type of that name. */
export type BrandType = typeof brandType;

/** What a relationship points with. */
export interface ResourceIdentifier<Type extends string = string> {
  readonly type: Type;
  readonly id: string;
}

/** Every vehicle has one relationship, to its manufacturer. */
export interface VehicleRelationships {
  readonly manufacturer: { readonly data: ResourceIdentifier<BrandType> | null };
}

/**
 * A vehicle on the wire. Under sparse fieldsets any attribute and the relationship may be missing, and with none of a
 * kind left its whole member may be.
 */
export interface VehicleResource<Type extends VehicleType = VehicleType> extends ResourceIdentifier<Type> {
  readonly attributes?: Partial<VehicleAttributes>;
  readonly relationships?: Partial<VehicleRelationships>;
}

/** A car on the wire. */
export type CarResource = VehicleResource<"car">;
/** A motorbike on the wire. */
export type MotorbikeResource = VehicleResource<"motorbike">;

/** A brand on the wire. */
export interface BrandResource extends ResourceIdentifier<BrandType> {
  readonly attributes?: Partial<BrandAttributes>;
}
