import type { FlagStoreContext, StoreDescription } from "../stores/flag-store.js";

/** Context hashes that enter and leave a list of a segment. */
export interface MemberChanges {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** A step from one state of the big segments to the next, as upstream sends it. */
export interface BigSegmentPatch {
  /** The segment as memberships name it: `KEY.gGENERATION`. */
  readonly segmentId: string;
  /** The state before this step; empty before the first one. */
  readonly previousVersion: string;
  /** The state after it. */
  readonly version: string;
  readonly included: MemberChanges;
  readonly excluded: MemberChanges;
}

/** The segments that name a context, by how they name it. Inclusion wins. */
export interface Memberships {
  readonly included: readonly string[];
  readonly excluded: readonly string[];
}

/**
 * Keeps who is in the big segments of one environment, where SDKs with the same database read it too.
 *
 * Each call gets a signal that is aborted when nobody waits any more. A rejected promise means that nothing is known about
 * the effect; applying the same patch again must lead to the same memberships.
 */
export interface BigSegmentStore {
  /** What the store is, for people who read of its failures. In memory: absent. */
  readonly about?: StoreDescription;
  /** How long taking a step may take. Default: thirty seconds, and ten milliseconds for each context. */
  readonly timeoutMs?: number;
  /** The state that the last applied patch led to; `undefined` before the first. */
  cursor(signal: AbortSignal): Promise<string | undefined>;
  /**
   * Takes a step if it begins at the present state (without one: if `previousVersion` is empty), and tells whether it did.
   * The state moves only when all of the step has been taken.
   */
  apply(patch: BigSegmentPatch, signal: AbortSignal): Promise<boolean>;
  /** When the memberships were last known to be those of upstream, in Unix milliseconds; `undefined` if never. */
  synchronizedOn(signal: AbortSignal): Promise<number | undefined>;
  setSynchronizedOn(timeMs: number, signal: AbortSignal): Promise<void>;
  /** What is kept of a context: the standard base64 of the SHA-256 of its key. */
  memberships(contextHash: string, signal: AbortSignal): Promise<Memberships>;
  /** Lets go of connections. Afterwards no method is called. */
  close(): Promise<void>;
}

/** Creates the store of one environment. */
export type BigSegmentStoreFactory = (context: FlagStoreContext) => BigSegmentStore;
