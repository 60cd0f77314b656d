import type { Item } from "@wye/flag-evaluator";
import type { Clock } from "../clock.js";
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
 * the process. Several relays may share what is kept.
 *
 * The relay serves requests from its own memory and never lets one wait for the store. It calls one method at a time, with
 * a signal that is aborted when it no longer waits. Then the call should end and have no effect later, for another one
 * follows. A rejected promise means that nothing is known about the effect: after a pause the store is asked whether it is filled, then read, and what
 * it lacks is written. What fails although the store could be asked is tried again after pauses that grow to half a minute.
 */
export interface FlagStore {
  /** What the store is, for people. In memory: absent. */
  readonly about?: StoreDescription;
  /**
   * For how long what was read or written counts as what is kept: then it is read again, and what others have written in
   * the meantime is served. At least a second. Default: for ever.
   */
  readonly cacheTtlMs?: number;
  /** How long a call may take. Default: ten seconds. */
  readonly timeoutMs?: number;
  /**
   * Whether a full set takes several writes: readers may see a mixture meanwhile, and what was written first may be taken away by somebody
   * before the last. What is kept is read afterwards, and what is missing there is written again. Default: no.
   */
  readonly isPiecemeal?: boolean;
  /** Everything that is kept, tombstones included, or `undefined` when no full set was ever written. */
  read(signal: AbortSignal): Promise<readonly Item[] | undefined>;
  /** Replaces everything, whatever the versions. Readers see the old set or the new one, never a mixture, unless the store is piecemeal. */
  replace(items: readonly Item[], signal: AbortSignal): Promise<void>;
  /**
   * Keeps each item, or tombstone, whose version is greater than the kept one's; no two have the same kind and key. Gives
   * what is kept in place of the others. Before the first `replace` items are kept as well, and `read` still gives
   * `undefined`.
   */
  upsert(items: readonly Item[], signal: AbortSignal): Promise<readonly Item[]>;
  /**
   * Other SDK keys may open what is kept than it was written with, as `keyDigests` tells: a store that keeps those with it writes them anew if so.
   * Called after the first reading and whenever they may have changed; never while another environment's data are kept.
   */
  noteKeys?(signal: AbortSignal): Promise<void>;
  /**
   * Whether a full set was written and is still there, told as cheaply as can be. Asked every five seconds while nothing else
   * is to be done, and after each reading, so that an outage or a loss shows although nothing changes; and after a failure, each second until
   * it is answered. Without it neither shows. What stands in the place of flags and cannot be read is none: then everything is written.
   */
  isFilled?(signal: AbortSignal): Promise<boolean>;
  /**
   * How often the database was lost and found again, as far as that is known. One that was away may have come back as it was some time
   * ago: after a loss that no call has met everything that it lacks is written again. Asked with `isFilled`.
   */
  losses?(): number;
  /** Lets go of connections. Afterwards no method is called. */
  close(): Promise<void>;
}

/** Which environment keeps what where, so that no two overwrite each other. */
export interface DatabasePlaces {
  /**
   * Takes a place in a server (its address, or the host's connection to it) until the returned function is called: `flags
   * under prefix "ld"`. Throws when another environment has it; one that is being removed is waited for before anything is read or written.
   */
  claim(server: unknown, place: string, environment: string): () => void;
}

/** What a store is told when it is created. */
export interface FlagStoreContext {
  /** The name of the environment, with the filter if there is one: `production`, `production/web`. */
  readonly environment: string;
  /** The client-side ID of the environment, if it has one. */
  readonly envId: string | undefined;
  /** The key of the payload filter, if the environment is a filtered one. */
  readonly filter: string | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  /**
   * What the SDK keys are known by that open these flags now: kept beside them they tell later whose they are. Absent where a store is made
   * without a relay.
   */
  readonly keyDigests?: () => readonly string[];
  /** Whether what is kept is of another environment: nothing of it is to be served, after a restart neither. */
  readonly isStale?: boolean;
  /** What the environments of the relay keep in databases. Absent where a store is made without a relay. */
  readonly places?: DatabasePlaces;
}

/** Creates the store of one environment: no other environment of the relay may have the same object at the same time. */
export type FlagStoreFactory = (context: FlagStoreContext) => FlagStore;
