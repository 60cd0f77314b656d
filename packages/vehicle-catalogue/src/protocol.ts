/** The media type of every document, sent without parameters. */
export const jsonApiMediaType = "application/vnd.api+json";

/** The header that carries the key. */
export const apiKeyHeader = "API-Key";

/** The paths of the API, below whatever prefix it is mounted at. */
export const paths = {
  vehicles: "/v2/vehicles",
  brands: "/v2/vehicle_brands",
  openapi: "/v2/openapi.json",
} as const;

/** The limits that the contract states. */
export const limits = {
  /** Vehicles on a page when `page[size]` is not given. */
  defaultPageSize: 100,
  /** The largest `page[size]`. */
  maxPageSize: 100,
  /** Results of a search, on all pages together. */
  searchResults: 25,
  /** Characters of `q`. */
  searchLength: 200,
} as const;
