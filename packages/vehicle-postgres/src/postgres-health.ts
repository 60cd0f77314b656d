/**
 * - `loading`: nothing was loaded yet; requests get 503.
 * - `live`: the database has confirmed lately that these are its data.
 * - `stale`: the database is away or refuses; what it last held is served.
 * - `closed`: no longer follows the database; what it last held is served.
 */
export type PostgresState = "loading" | "live" | "stale" | "closed";

/** How a catalogue fares, for a health check or a metric. Times are milliseconds since 1970. */
export interface PostgresHealth {
  readonly state: PostgresState;
  /** Since when it is in this state. */
  readonly since: number;
  readonly vehicles: number;
  /** When the data that are served were loaded. */
  readonly loadedAt: number | undefined;
  /** When the database last confirmed them. */
  readonly confirmedAt: number | undefined;
  /** Failures in a row; 0 while all is well. */
  readonly failures: number;
  /** What failed last, if anything does. */
  readonly problem: string | undefined;
}
