import type { Problem } from "@wye/pipeline-spec";

/** A stretch of a text in UTF-16 code units, as in `text.slice(start, end)`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Something that is wrong with one text of a specification: an expression, or a string that holds placeholders. It is a
 * `Problem` of `@wye/pipeline-spec` whose place is known only inside that text; who knows the document adds `path` and `range`.
 */
export interface TextProblem<Code extends string = string> extends Omit<Problem<Code>, "path" | "range"> {
  /** The part of the text it is about. */
  readonly span: TextSpan;
}
