import JSONAPISerializer from "json-api-serializer";
import type { Brand } from "../brand.js";
import { type Vehicle, vehicleTypes } from "../vehicle.js";
import { brandType } from "../vehicle-resource.js";

/** A resource as json-api-serializer builds it. */
export interface SerializedResource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, unknown>>;
}

const serializer = new JSONAPISerializer({ jsonapiObject: false });
for (const type of vehicleTypes) {
  serializer.register(type, { blacklist: ["type"], relationships: { manufacturer: { type: brandType } } });
}
serializer.register(brandType, {});

/** The JSON:API resource of a vehicle. */
export function serializeVehicle(vehicle: Vehicle): SerializedResource {
  return serializer.serialize(vehicle.type, vehicle).data;
}

/** The JSON:API resource of a brand. */
export function serializeBrand(brand: Brand): SerializedResource {
  return serializer.serialize(brandType, brand).data;
}
