import { snapshotFromItems } from "./compile/build-snapshot.js";
import type { Evaluator } from "./evaluator.js";
import { type FlagData, itemsFromData } from "./read/flag-data.js";
import { SnapshotEvaluator } from "./snapshot-evaluator.js";
import { atOnce } from "./steps.js";

/** Limits of an evaluator. */
export interface CompileOptions {
  /**
   * How deep prerequisites may be nested, and likewise segments within segments, from 1 to 500; 256 by default. A flag
   * that goes deeper is malformed.
   */
  readonly maxNesting?: number;
}

/**
 * Compiles flags and segments. Nothing that they contain makes it throw: an item that cannot be read is listed under
 * `problems`, and malformed for every context.
 */
export function compileFlags(data: FlagData, { maxNesting = 256 }: CompileOptions = {}): Evaluator {
  if (!Number.isInteger(maxNesting) || maxNesting < 1 || maxNesting > 500) {
    throw new TypeError(`maxNesting must be a whole number from 1 to 500, not ${maxNesting}`);
  }
  return new SnapshotEvaluator(atOnce(snapshotFromItems(itemsFromData(data), maxNesting)));
}
