import type { SlottedItem } from "./slotted-item.js";

/** A segment, ready to be asked. Its lists of keys are in the index of all segments. */
export interface CompiledSegment extends SlottedItem {
  readonly deleted: false;
  /** Marks its entries in the index. */
  readonly owner: object;
  readonly big: BigSegment | undefined;
  readonly rules: readonly SegmentRule[];
  /** The segments that its rules name, by slot. */
  readonly segments: readonly number[];
}

/** A segment whose members are kept elsewhere. */
export interface BigSegment {
  readonly kind: number;
  /** How memberships name it: `key.gGENERATION`. Undefined if the data lack the generation. */
  readonly reference: string | undefined;
}

/** Clauses, by slot, that must all match; then a share of the contexts is in. */
export interface SegmentRule {
  readonly clauses: readonly number[];
  readonly share: SegmentShare | undefined;
}

/** Contexts with a hash below the limit. */
export interface SegmentShare {
  /** Where the code says how to deal; undefined if the attribute reference is not valid. */
  readonly bucketing: number | undefined;
  readonly limit: number;
}
