import type { ItemChange } from "./compile/build-snapshot.js";
import type { Audience } from "./evaluate/all-flags.js";
import type { BigSegmentNeed, BigSegments } from "./evaluate/big-segments.js";
import type { EvaluationDetail, ValueLike } from "./evaluate/evaluation-detail.js";
import type { FlagExplanation } from "./explain/explanation.js";
import type { JsonValue } from "./json.js";
import type { Context } from "./read/context.js";
import type { FlagData } from "./read/flag-data.js";
import type { Item, ItemKind } from "./read/item.js";
import type { ItemProblem } from "./read/item-reader.js";
import type { ItemInput } from "./read/read-item.js";
import type { References } from "./read/references.js";
import type { Steps } from "./steps.js";

/** What an evaluation may need beyond the context. */
export interface EvaluateOptions {
  /** Answers about big segments, as `bigSegmentsFor` asks for them. */
  readonly bigSegments?: BigSegments | undefined;
}

/** How results are written. */
export interface EvaluateAllOptions extends EvaluateOptions {
  /** Who asks: flags that are not available there are left out. `server`, which sees all, by default. */
  readonly audience?: Audience | undefined;
  /** `evalx` (default) writes details for each flag, `eval` the bare value. */
  readonly format?: "evalx" | "eval" | undefined;
  /** Whether details have the reason; experiments always do. */
  readonly withReasons?: boolean | undefined;
}

/** How results are written as bytes. */
export interface EvaluateAllBytesOptions extends EvaluateAllOptions {
  /** Makes the array, whose contents do not matter; on Node `Buffer.allocUnsafe` is faster than a new `Uint8Array`. */
  readonly allocate?: ((size: number) => Uint8Array<ArrayBuffer>) | undefined;
}

/** Something in a flag or segment that could not be read; it is malformed for every context. */
export interface DataProblem extends ItemProblem {
  readonly kind: ItemKind;
  readonly key: string;
}

/**
 * All flags and segments at one moment, ready to be evaluated. It never changes: `apply`, `replace`, `upsert` and `delete`
 * give another evaluator, which shares what stayed, so that whoever holds one sees one version of all flags.
 */
export interface Evaluator {
  /** Evaluates one flag. A missing flag, like every other obstacle, is a reason and not an exception. */
  evaluate(key: string, context: Context, options?: EvaluateOptions): EvaluationDetail;
  /**
   * Evaluates one flag with a fallback for when there is no variation, or, where it is a boolean, a number or a string,
   * for a variation of another type.
   */
  evaluate<T extends JsonValue>(
    key: string,
    context: Context,
    options: EvaluateOptions & { readonly fallback: T },
  ): EvaluationDetail<ValueLike<T>>;

  /**
   * Evaluates all flags that the audience sees: the body of an evaluation response, JSON text in ASCII alone, so that
   * its length is its size. The same data give the same text for the same context, in whatever order they came.
   */
  evaluateAll(context: Context, options?: EvaluateAllOptions): string;
  /** The same as bytes. */
  evaluateAllBytes(context: Context, options?: EvaluateAllBytesOptions): Uint8Array<ArrayBuffer>;
  /** The same for some flags: JSON text of each by key. Flags that do not exist or are not seen are left out. */
  evaluateMany(keys: Iterable<string>, context: Context, options?: EvaluateAllOptions): Map<string, string>;
  /** Says step by step, for people, what was tested and what decided; `formatExplanation` makes it text. */
  explain(key: string, context: Context, options?: EvaluateOptions): FlagExplanation;

  /** The queries about big segments to make before this context is evaluated; usually none. */
  bigSegmentsFor(context: Context): readonly BigSegmentNeed[];
  /** The keys of the flags whose results may change with that item, through prerequisites and segments, sorted. */
  affectedBy(kind: ItemKind, key: string): readonly string[];
  /** The keys of the flags whose results may differ from those of another evaluator, sorted. */
  changedSince(previous: Evaluator): readonly string[];
  /** What a flag or segment refers to; undefined if there is none. */
  references(kind: ItemKind, key: string): References | undefined;

  /** A flag or segment as it came, or what remains of a deleted one. */
  item(kind: ItemKind, key: string): Item | undefined;
  /** All of them, deleted ones too. */
  items(kind: ItemKind): readonly Item[];
  /** What could not be read. */
  readonly problems: readonly DataProblem[];

  /** Takes several items at once, or a whole set of them. Gives this evaluator if that changes nothing. */
  apply(change: ItemChange): Evaluator;
  /**
   * The same bit by bit, for programs that have other work to do meanwhile: whoever goes through the steps decides when the
   * next is taken. Each yields about how much was done, in characters of flag data.
   */
  applyInSteps(change: ItemChange): Steps<Evaluator>;
  /** Takes a whole data set, whatever the versions. What stayed the same to the letter is not compiled again. */
  replace(data: FlagData): Evaluator;
  /** Takes one item. An item that is not newer than the one that is there changes nothing: the result is this evaluator. */
  upsert(kind: ItemKind, key: string, item: ItemInput): Evaluator;
  /** Deletes one item, if that version is newer than the one that is there. Remembers it, so that no older one returns. */
  delete(kind: ItemKind, key: string, version: number): Evaluator;
}
