import type { ClauseIndex } from "./clause-index.js";

/** A test of a context, made ready. */
export type Clause =
  | { readonly type: "index"; readonly attribute: number; readonly index: ClauseIndex }
  | {
      readonly type: "tests";
      readonly attribute: number;
      readonly tests: readonly number[];
      readonly negate: boolean;
    }
  | { readonly type: "segments"; readonly segments: readonly number[]; readonly negate: boolean }
  | { readonly type: "malformed" };
