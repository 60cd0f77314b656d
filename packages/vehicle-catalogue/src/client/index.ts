export type { Brand, BrandAttributeName, BrandAttributes } from "../brand.js";
export type { ErrorCode, ErrorObject, ErrorSource } from "../error-document.js";
export type { VehicleFieldName } from "../vehicle.js";
export type { VehicleAttributeName, VehicleAttributes } from "../vehicle-attributes.js";
export type {
  AttributeFilter,
  ComparedAttributes,
  NumberBounds,
  SortedAttributeName,
  VehicleSortKey,
  WantedValue,
} from "./attribute-filter.js";
export type { VehicleClientClock } from "./clock.js";
export { createVehicleClient } from "./create-vehicle-client.js";
export type {
  BrandField,
  BrandFieldList,
  FetchedBrand,
  FetchedCar,
  FetchedManufacturer,
  FetchedMotorbike,
  FetchedResource,
  FetchedVehicle,
  SelectedFields,
  UnresolvedBrand,
  VehicleField,
  VehicleFieldList,
  WithheldAttributeName,
} from "./fetched-vehicle.js";
export type { RawDocument, RawResource } from "./json-api-document.js";
export type { BrandList, VehicleClient, VehiclePage } from "./vehicle-client.js";
export type { VehicleClientErrorCode, VehicleClientErrorDetails } from "./vehicle-client-error.js";
export { isVehicleClientError, VehicleClientError } from "./vehicle-client-error.js";
export type {
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  VehicleClientCache,
  VehicleClientFetch,
  VehicleClientHooks,
  VehicleClientOptions,
  VehicleClientRetry,
} from "./vehicle-client-options.js";
export type {
  CallOptions,
  FieldSelection,
  SearchRequest,
  VehicleFilter,
  VehicleRequest,
  VehicleSelection,
  VehiclesRequest,
} from "./vehicle-requests.js";
