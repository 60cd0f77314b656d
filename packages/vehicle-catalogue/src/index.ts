export type { Brand, BrandAttributeName, BrandAttributes } from "./brand.js";
export { brandAttributes } from "./brand.js";
export { defaultChargingCurve } from "./default-charging-curve.js";
export type {
  BrandsDocument,
  CollectionMeta,
  PaginationLinks,
  VehiclesDocument,
} from "./documents.js";
export type { ErrorCode, ErrorDocument, ErrorObject, ErrorSource } from "./error-document.js";
export { errorKinds } from "./error-document.js";
export type { KeyGroup } from "./key-group.js";
export { keyGroups } from "./key-group.js";
export { apiKeyHeader, jsonApiMediaType, limits, paths } from "./protocol.js";
export type { ScalarTypes, Schema, SchemaTypeName, SchemaValue } from "./schema.js";
export type { Car, Motorbike, Vehicle, VehicleFieldName, VehicleOf, VehicleType } from "./vehicle.js";
export { vehicleTypes } from "./vehicle.js";
export type {
  AcPort,
  ChargingCurvePoint,
  DcChargePort,
  DcPort,
  EvType,
  VehicleAttributeName,
  VehicleAttributes,
} from "./vehicle-attributes.js";
export { vehicleAttributeNames, vehicleAttributes, withheldAttributes } from "./vehicle-attributes.js";
export type {
  BrandResource,
  BrandType,
  CarResource,
  MotorbikeResource,
  ResourceIdentifier,
  VehicleRelationships,
  VehicleResource,
} from "./vehicle-resource.js";
export { brandType } from "./vehicle-resource.js";
