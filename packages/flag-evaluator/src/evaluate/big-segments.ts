import type { BigSegmentsStatus } from "../compile/outcome.js";

/** What a store said of one context key. */
export interface BigSegmentMembership {
  /** `HEALTHY`, or what was wrong with the answer; it becomes part of evaluation reasons. */
  readonly status: BigSegmentsStatus;
  /** By segment reference (`key.gGENERATION`): included or excluded. What is not listed is neither. */
  readonly segments?: ReadonlyMap<string, boolean>;
}

/**
 * Memberships by context key, fetched before an evaluation: evaluations are synchronous. Without any, big segments count
 * as not configured; a needed key that is missing counts as a failed query.
 */
export type BigSegments = ReadonlyMap<string, BigSegmentMembership>;

/** One query that an evaluation depends on. */
export interface BigSegmentNeed {
  readonly contextKey: string;
  /** The segments that may be asked about, as memberships name them. */
  readonly references: readonly string[];
}
