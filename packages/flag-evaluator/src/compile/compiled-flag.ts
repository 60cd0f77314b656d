import type { FlagHead } from "./outcome.js";
import type { SlottedItem } from "./slotted-item.js";

/** A flag, ready to be evaluated. */
export interface CompiledFlag extends SlottedItem {
  readonly deleted: false;
  readonly head: FlagHead;
  /** The number of the outcome, if it is the same for all contexts. */
  readonly constant: number | undefined;
  /** Where its code begins. */
  readonly code: number;
  readonly on: boolean;
  readonly usingMobileKey: boolean;
  readonly usingEnvironmentId: boolean;
  /** The flags that are its prerequisites, by slot. */
  readonly prerequisites: readonly number[];
  /** The segments that its rules name, by slot. */
  readonly segments: readonly number[];
}
