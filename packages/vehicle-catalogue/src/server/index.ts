export type { CatalogueErrorCode, CatalogueErrorOptions } from "../catalogue-error.js";
export { CatalogueError } from "../catalogue-error.js";
export { mostReported } from "../records/bounded-report.js";
export type { Correction, StaleCorrection } from "../records/corrections.js";
export type { ReadVehicles } from "../records/read-vehicles.js";
export type { RecordProblem, RecordRepair } from "../records/record-problem.js";
export { formatRecordProblem } from "../records/record-problem.js";
export type { VehicleInput } from "../records/vehicle-input.js";
export type { VehicleExtension } from "../records/vehicle-rules.js";
export type { Addition, AdditionSources, QueryAdditions } from "./additions.js";
export type { Awaitable } from "./awaitable.js";
export type {
  AdditionalQuery,
  Catalogue,
  CatalogueCall,
  CatalogueSnapshot,
  VehicleCondition,
  VehicleOrder,
  VehicleQuery,
  VehicleSearch,
  VehicleSelection,
} from "./catalogue.js";
export { readCatalogueFile } from "./catalogue-file.js";
export type { KeyEntry, KeyGrant, KeyLookup } from "./http/authoriser.js";
export type { ContentCoding } from "./http/content-coding.js";
export type { CorsOptions } from "./http/cors.js";
export type { RouterRequest, RouterResponse } from "./http/exchange.js";
export type { FailedKeysOptions } from "./http/failed-keys.js";
export type { FetchHandler } from "./http/fetch-adapter.js";
export type { MalformedSocket } from "./http/malformed-request.js";
export { answerMalformedRequest } from "./http/malformed-request.js";
export type { NodeHandler, NodeRequest, NodeResponse } from "./http/node-adapter.js";
export type { Platform } from "./http/platform.js";
export { webPlatform } from "./http/platform.js";
export type { RateLimit, RateLimitState, TokenBucketOptions } from "./http/rate-limit.js";
export { createTokenBucket } from "./http/rate-limit.js";
export type { Logger } from "./logger.js";
export type { ExplainedVehicle, MemorySnapshot, PlainQuery } from "./memory/memory-snapshot.js";
export type {
  LoadReport,
  MemoryCatalogue,
  MemoryCatalogueOptions,
  ReplaceOptions,
} from "./memory-catalogue.js";
export {
  catalogueFromJson,
  catalogueFromOpenEvData,
  catalogueFromVehicles,
  readCatalogueData,
  readCatalogueDataInSlices,
} from "./memory-catalogue.js";
export { openApiDescription } from "./openapi.js";
export type { SearchHit } from "./search/best-hits.js";
export { wordsOf } from "./search/fold-text.js";
export type { SearchedTexts } from "./search/postings.js";
export { searchAliases } from "./search/search-aliases.js";
export type { SearchExplanation } from "./search/search-explanation.js";
export type { SearchIndex } from "./search/search-index.js";
export { createSearchIndex } from "./search/search-index.js";
export type { OrderKey } from "./vehicle-order.js";
export { compareBrands, compareVehicles, orderKey } from "./vehicle-order.js";
export type { VehicleRouter, VehicleRouterOptions } from "./vehicle-router.js";
export { createVehicleRouter } from "./vehicle-router.js";
export type { WatchCatalogueOptions, WatchedCatalogue } from "./watch-catalogue-file.js";
export { watchCatalogueFile } from "./watch-catalogue-file.js";
