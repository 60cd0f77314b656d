import type { Brand } from "../brand.js";
import type { VehicleExtension } from "../records/vehicle-rules.js";
import type { Vehicle } from "../vehicle.js";
import type { Awaitable } from "./awaitable.js";

/**
 * Where the router finds vehicles. `describeCatalogue` of `@wye/vehicle-catalogue/testing` is the suite that an
 * implementation must pass.
 *
 * A catalogue may change at any time. The router takes one snapshot for each request and asks nothing else, so a response
 * never mixes two versions.
 *
 * A catalogue that cannot answer for the time being rejects with a `CatalogueError` of the code `unavailable`: clients
 * are told to come again. A snapshot whose version is gone rejects with the code `superseded`: the router takes a new one, which is that of the
 * error if it has one. A catalogue that cannot keep old versions for a while gives one that has the answer to the same question at hand: without
 * it, nobody gets an answer while somebody writes all the time.
 */
export interface Catalogue {
  /** What its vehicles have beyond the documented API; it holds for all versions. */
  readonly extension?: VehicleExtension;
  /** Which members of `VehicleQuery` beyond the documented API its snapshots understand. Default: none. */
  readonly understands?: readonly AdditionalQuery[];
  /** The present version. Asked for every request, so it has to be cheap. */
  snapshot(call?: CatalogueCall): Awaitable<CatalogueSnapshot>;
}

/**
 * One version of a catalogue: all answers of a snapshot show the same data, whatever happens to the catalogue meanwhile.
 *
 * The order of vehicles is that of `compareVehicles`: brand name, model, release year with unknown years last, variant,
 * id; names without regard to case, accents and locale.
 */
export interface CatalogueSnapshot {
  /**
   * Names the version, in at most 64 of the characters `A–Z a–z 0–9 . _ -`. Two versions have different names if any
   * answer differs; the same data should keep its name over restarts, because clients hold ETags that are made of it.
   */
  readonly version: string;

  /**
   * The same for keys that do not see the withheld attributes: it does not depend on these. Their ETags are made of it, and
   * with one that is made of values they have not seen, holders of such keys could find out whether they guessed these
   * right. Default: `version`, which then should not be made of values; a number or a token is not.
   */
  readonly restrictedVersion?: string;

  /**
   * When anything last changed, in milliseconds since 1970. Later snapshots have later times, also where a version comes
   * back. Needed where the catalogue understands `updatedSince`.
   */
  readonly updatedAt?: number;

  /**
   * The vehicles that satisfy all given filters, in order, from `offset` on, at most `limit` of them. Ids are compared
   * without regard to letter case; unknown ones select nothing; an empty list selects no vehicle at all.
   */
  find(query: VehicleQuery, call?: CatalogueCall): Awaitable<VehicleSelection>;

  /**
   * The vehicles whose brand, model and variant resemble the text, best first, equals in the usual order; at most 25 on
   * all pages together. A text that resembles nothing selects nothing.
   */
  search(query: VehicleSearch, call?: CatalogueCall): Awaitable<VehicleSelection>;

  /** All brands that have a vehicle, by name. */
  brands(call?: CatalogueCall): Awaitable<readonly Brand[]>;
}

/** What goes with a call. */
export interface CatalogueCall {
  /** Aborted when nobody waits for the answer any more. Made when it is first read. */
  readonly signal: AbortSignal;
}

/** Which vehicles to find; without filters, all of them. */
export interface VehicleQuery {
  readonly ids?: readonly string[];
  readonly manufacturerIds?: readonly string[];
  /** What must hold of attributes, all of it. Asked only of catalogues that understand it, as what follows. */
  readonly conditions?: readonly VehicleCondition[];
  /** What to order by; equals are in the usual order. Texts without regard to case and accents, unknown values last. */
  readonly order?: readonly VehicleOrder[];
  /** Only vehicles that came or changed at this time or later, in milliseconds since 1970. */
  readonly updatedSince?: number;
  readonly offset: number;
  readonly limit: number;
}

/** The members of `VehicleQuery` that a catalogue need not understand. */
export type AdditionalQuery = "conditions" | "order" | "updatedSince";

/**
 * What must hold of an attribute, which may be a member of one (`energy_consumption.average_consumption`), `type` or
 * `manufacturer.name`. Of null, nothing holds.
 */
export type VehicleCondition =
  | {
      readonly attribute: string;
      /** The value, or an item of a list, is one of these. Texts are given in small letters, and compared so. */
      readonly is: "in";
      readonly values: readonly (string | number | boolean)[];
    }
  | { readonly attribute: string; readonly is: "gt" | "gte" | "lt" | "lte"; readonly bound: number };

/** An attribute to order by, named as in a condition. */
export interface VehicleOrder {
  readonly attribute: string;
  readonly isDescending: boolean;
}

/** A text to search for, and which of the results to answer. */
export interface VehicleSearch {
  readonly text: string;
  readonly offset: number;
  readonly limit: number;
}

/** A page of the vehicles that were asked for. */
export interface VehicleSelection {
  readonly vehicles: readonly Vehicle[];
  /**
   * For each of the vehicles, what changes whenever anything of it does but the name of its manufacturer. The router keeps
   * vehicles written out, and knows by this that they still hold; without it, they hold for one version of the catalogue.
   */
  readonly rowVersions?: readonly string[];
  /** How many vehicles are selected on all pages together; of a search, at most 25. */
  readonly overallCount: number;
}
