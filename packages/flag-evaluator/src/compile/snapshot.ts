import type { CompiledFlag } from "./compiled-flag.js";
import type { CompiledSegment } from "./compiled-segment.js";
import type { Registry } from "./registry.js";
import type { Tombstone } from "./slotted-item.js";

/** A flag or what remains of it. */
export type FlagItem = CompiledFlag | Tombstone;
/** A segment or what remains of it. */
export type SegmentItem = CompiledSegment | Tombstone;

/** In place of where code begins: there is no such flag. */
export const NO_FLAG = -1;

/** All flags and segments at one moment. Never changes: an update makes another one, which shares what stayed. */
export interface Snapshot {
  readonly registry: Registry;
  readonly maxNesting: number;
  /** By slot. */
  readonly flags: readonly (FlagItem | undefined)[];
  /** By slot. */
  readonly segments: readonly (SegmentItem | undefined)[];
  /** Where the code of each flag begins, by slot, or {@link NO_FLAG}. */
  readonly places: Int32Array;
  /** The flags that are not deleted, sorted by key. */
  readonly sorted: readonly CompiledFlag[];
  /** What refers to others deeper than the limit of nesting, by slot. */
  readonly tooDeep: { readonly flags: ReadonlySet<number>; readonly segments: ReadonlySet<number> };
}
