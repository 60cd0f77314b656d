import type { Item } from "@wye/flag-evaluator";

/** How upstream calls a state of the flags: opaque, kept and handed on as it came. */
export interface Selector {
  readonly state: string;
  readonly version: number;
}

/** What happens to the flags of an environment, all of it at once. */
export interface Change {
  /** `full`: these items and no others exist from now on, whatever their versions. `partial`: each that is newer takes its place. */
  readonly extent: "full" | "partial";
  /** Flags and segments, tombstones too. Of several with one kind and key the last counts. */
  readonly items: readonly Item[];
  /** The state that this change leads to, if upstream has a name for it. */
  readonly selector?: Selector | undefined;
}
