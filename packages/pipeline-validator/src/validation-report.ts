import type { Problem, Range } from "@wye/pipeline-spec";

/** Another place that helps to understand a problem. */
export interface RelatedPlace {
  /** JSON pointer, like that of the problem. */
  readonly path: string;
  /** What is to be seen there, such as `declared here`. */
  readonly message: string;
  readonly range?: Range;
}

/** A problem with the places that belong to it. */
export interface ValidationProblem extends Problem {
  readonly related?: readonly RelatedPlace[];
}

/** What came of a validation. */
export interface ValidationReport {
  /** True when there is no error: warnings and remarks do not count. */
  readonly ok: boolean;
  /** All problems, in the order of the text. */
  readonly problems: readonly ValidationProblem[];
}

/** The report of a list of problems. */
export function reportOf(problems: readonly ValidationProblem[]): ValidationReport {
  return { ok: !problems.some(({ severity }) => severity === "error"), problems };
}
