import type { Catalogue, Logger, VehicleExtension } from "@wye/vehicle-catalogue/server";
import type { PostgresConnection } from "./client-config.js";
import type { PostgresHealth } from "./postgres-health.js";

/** How a catalogue follows a database. Only the connection is needed. */
export interface PostgresCatalogueOptions {
  readonly connection: PostgresConnection;
  /** The schema that holds the tables. Default: `vehicle_catalogue`. */
  readonly schema?: string;
  /** How often the database is asked whether anything changed, should no notification come; `Infinity` for never. Default: 5000. */
  readonly pollMs?: number;
  /** A connection that does not answer for this long is given up for another. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Further brand short names for the search; see `MemoryCatalogueOptions`. */
  readonly brandAliases?: Readonly<Record<string, string>>;
  /** What vehicles may have beyond the documented API. Default: nothing. */
  readonly extension?: VehicleExtension;
  /**
   * Data with less than this share of the vehicles that are served do not replace them: that is likelier an accident than a
   * change. Default: 0.5; 0 accepts all data. What a process begins with is accepted in any case.
   */
  readonly leastShare?: number;
  /** Reports loads, wrong records and failures. Default: says nothing. */
  readonly logger?: Logger;
}

/** A catalogue in memory that follows a database. */
export interface PostgresCatalogue extends Catalogue {
  /** Resolves when there is something to serve. Until then every request is answered with 503. */
  ready(): Promise<void>;
  /**
   * Resolves when what is committed now is served; rejects when the database cannot be asked, or its data are refused. With
   * `leastShare`, that holds once in place of the option.
   */
  refresh(options?: { readonly leastShare?: number }): Promise<void>;
  health(): PostgresHealth;
  /** Stops following and gives the connection back; what was loaded is served on. */
  close(): Promise<void>;
}
