import type { CharSet } from "./char-set.js";

/** A condition on the place between two characters. */
export type Assertion = "beginText" | "endText" | "beginLine" | "endLine" | "wordBoundary" | "noWordBoundary";

/** A regular expression. Groups and greediness are left out: they only matter for where it matches, not whether. */
export type Node =
  | {
      readonly type: "char";
      readonly set: CharSet;
      /** The one character of the set, where it is a single one of ASCII. */
      readonly code?: number;
    }
  | { readonly type: "assertion"; readonly assertion: Assertion }
  | { readonly type: "sequence"; readonly nodes: readonly Node[] }
  | { readonly type: "choice"; readonly nodes: readonly Node[] }
  | Repeat;

/** A part that comes several times. */
export interface Repeat {
  readonly type: "repeat";
  readonly node: Node;
  readonly min: number;
  readonly max: number;
  /** Whether it was written with numbers, which RE2 limits. */
  readonly counted: boolean;
}

/** What a text that is not a regular expression lets the parser throw. */
export class PatternSyntaxError extends Error {
  override readonly name = "PatternSyntaxError";
}
