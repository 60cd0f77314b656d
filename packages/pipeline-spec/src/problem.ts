/** How bad a problem is: only errors make a specification unusable. */
export type Severity = "error" | "warning" | "info";

/** A place in a text. */
export interface Position {
  /** Number of UTF-16 code units before the place, as in `text.slice(offset)`. */
  readonly offset: number;
  /** Line, from 1. */
  readonly line: number;
  /** Column in UTF-16 code units, from 1. */
  readonly column: number;
}

/** A stretch of a text; `end` is the place after its last character. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Something that is wrong with, or worth knowing about, a specification. */
export interface Problem<Code extends string = string> {
  /** Kind of problem: stable, for programs. Those of this package are in `SpecProblemCode`. */
  readonly code: Code;
  readonly severity: Severity;
  /** What it is about, as a JSON pointer (RFC 6901) from the root of the document; `""` is the root itself. */
  readonly path: string;
  /** What is wrong and what was expected: a sentence without a full stop, for people. */
  readonly message: string;
  /** What to do about it, where that is known. */
  readonly hint?: string;
  /** The key or value it is about, where the text is known. */
  readonly range?: Range;
}
