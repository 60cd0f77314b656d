import type { BrandResource, CarResource, MotorbikeResource } from "./vehicle-resource.js";

/** What `GET /v2/vehicles` answers. */
export interface VehiclesDocument {
  readonly data: readonly (CarResource | MotorbikeResource)[];
  /** The brands that the vehicles of this page refer to, each once; always there. */
  readonly included: readonly BrandResource[];
  readonly meta: CollectionMeta;
  readonly links?: PaginationLinks;
}

/** What `GET /v2/vehicle_brands` answers. */
export interface BrandsDocument {
  readonly data: readonly BrandResource[];
  readonly meta: CollectionMeta;
}

/** What is told of a collection beside its members. */
export interface CollectionMeta {
  /** How many resources match, on all pages; with `q`, how many can be fetched. */
  readonly overall_count: number;
  /** What the server answers beyond the documented API, by names that its OpenAPI description explains; there if anything. */
  readonly additions?: readonly string[];
}

/** References relative to the URL that was asked; one that leads nowhere is absent. */
export interface PaginationLinks {
  readonly self?: string;
  readonly first?: string;
  readonly prev?: string;
  readonly next?: string;
  readonly last?: string;
}
