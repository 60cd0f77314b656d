import type { EqualityIndex } from "./equality-index.js";
import type { Operator } from "./operators.js";

/** A test of a context, made ready. */
export type Clause =
  | (Operator & { readonly type: "attribute"; readonly attribute: number; readonly negate: boolean })
  | { readonly type: "equality"; readonly attribute: number; readonly index: EqualityIndex }
  | (Operator & { readonly type: "kind"; readonly negate: boolean })
  | { readonly type: "segments"; readonly segments: readonly number[]; readonly negate: boolean }
  | { readonly type: "malformed" };
