import type { Item } from "@wye/flag-evaluator";
import type { Logger } from "../logger.js";

/** What the status document says about a store. */
export interface StoreDescription {
  readonly database: "redis" | "consul" | "dynamodb";
  /** The server, without a password. */
  readonly dbServer?: string;
  readonly dbPrefix?: string;
  readonly dbTable?: string;
}

/**
 * Keeps the flags and segments of one environment, so that they outlive the connection to upstream and, in a database,
 * the process.
 *
 * The relay serves requests from its own memory; it writes each change to the store, and reads it only to have data before
 * upstream delivers. It calls one method at a time. A rejected promise means that nothing is known about the effect.
 */
export interface FlagStore {
  /** What the store is, for people. In memory: absent. */
  readonly about?: StoreDescription;
  /** Everything that is kept, tombstones included, or `undefined` when no full set was ever written. */
  read(): Promise<readonly Item[] | undefined>;
  /** Replaces everything, whatever the versions. Readers see the old set or the new one, never a mixture. */
  replace(items: readonly Item[]): Promise<void>;
  /**
   * Keeps an item, or a tombstone, if its version is greater than the kept one. Tells whether it was. Before the first
   * `replace` items are kept as well, and `read` still gives `undefined`.
   */
  upsert(item: Item): Promise<boolean>;
  /** Lets go of connections. Afterwards no method is called. */
  close(): Promise<void>;
}

/** What a store is told when it is created. */
export interface FlagStoreContext {
  /** The name of the environment, with the filter if there is one: `production`, `production/web`. */
  readonly environment: string;
  readonly logger: Logger;
}

/** Creates the store of one environment. */
export type FlagStoreFactory = (context: FlagStoreContext) => FlagStore;
