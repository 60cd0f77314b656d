import type { Awaitable } from "./awaitable.js";
import type { PreparedBrand, PreparedVehicle } from "./prepared-vehicle.js";

/**
 * Where the router finds vehicles. `describeCatalogue` is the suite that an implementation must pass.
 *
 * A catalogue may change at any time. Every answer is of one version as a whole, and says which: the router makes
 * exactly one call of `find`, `search` or `brands` for each response, so a response never mixes two versions.
 *
 * The order of vehicles is that of `compareVehicles`: brand name, model, release year with unknown years last, variant,
 * id; names without regard to case, accents and locale.
 */
export interface Catalogue {
  /**
   * Names the present version, in at most 64 of the characters `A–Z a–z 0–9 . _ -`. Asked for every request, so it has
   * to be cheap. Two versions have different names if any answer differs; the same data should keep its name over
   * restarts, because clients hold ETags that are made of it.
   */
  version(): Awaitable<string>;

  /**
   * The vehicles that satisfy all given filters, in order, from `offset` on, at most `limit` of them. Ids are compared
   * without regard to letter case; unknown ones select nothing; an empty list selects no vehicle at all.
   */
  find(query: VehicleQuery): Awaitable<VehicleSelection>;

  /**
   * The vehicles whose brand, model and variant resemble the text, best first, equals in the usual order; at most 25 on
   * all pages together. A text that resembles nothing selects nothing.
   */
  search(query: VehicleSearch): Awaitable<VehicleSelection>;

  /** All brands that have a vehicle, by name. */
  brands(): Awaitable<BrandSelection>;
}

/** Which vehicles to find; without filters, all of them. */
export interface VehicleQuery {
  readonly ids?: readonly string[];
  readonly manufacturerIds?: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

/** A text to search for, and which of the results to answer. */
export interface VehicleSearch {
  readonly text: string;
  readonly offset: number;
  readonly limit: number;
}

/** A page of the vehicles that were asked for. */
export interface VehicleSelection {
  readonly version: string;
  readonly vehicles: readonly PreparedVehicle[];
  /** How many vehicles are selected on all pages together; of a search, at most 25. */
  readonly overallCount: number;
}

/** All brands of one version. */
export interface BrandSelection {
  readonly version: string;
  readonly brands: readonly PreparedBrand[];
}
