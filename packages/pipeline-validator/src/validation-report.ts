import { type Problem, type ProblemCounts, ProblemList, type Range } from "@wye/pipeline-spec";

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

/** A part of the file that could not be read, so that no rule has looked at it. */
export interface UncheckedPart {
  /** JSON pointer of the part; `""` is all of it. */
  readonly path: string;
  readonly range?: Range;
  /** The `code` of the problem that is the reason. */
  readonly reason: string;
  /** How many findings were left out because what they miss may stand in this part. */
  readonly hidden: number;
}

/** What came of a validation. */
export interface ValidationReport {
  /** True when there is no error, listed or not: warnings and remarks do not count. */
  readonly ok: boolean;
  /** The problems in the order of the text: all of them, or as many as `maxProblems` allows, errors before others. */
  readonly problems: readonly ValidationProblem[];
  /**
   * How many problems there are of each severity, listed or not. Of one rule at most a million is counted; when there are more,
   * a remark says so.
   */
  readonly counts: ProblemCounts;
  /** What was not checked, and why. Everything else was. */
  readonly unchecked: readonly UncheckedPart[];
  /** What own rules say is to hold, by their ids; absent without own rules. */
  readonly ownRules?: Readonly<Record<string, string>>;
}

/** How many problems a report lists unless told otherwise. */
export const defaultMaxProblems = 1000;

/** The report of what was found, in the order of the text. */
export function reportOf(
  found: ProblemList<ValidationProblem>,
  unchecked: readonly UncheckedPart[] = [],
  uncounted: readonly string[] = [],
): ValidationReport {
  const problems: ValidationProblem[] = found.listed();
  problems.sort((a, b) => (a.range?.start.offset ?? 0) - (b.range?.start.offset ?? 0));
  const remark = found.remark();
  if (remark !== undefined) problems.push(remark);
  for (const id of uncounted) problems.push(notCounted(id));
  return { ok: found.counts.error === 0, problems, counts: { ...found.counts }, unchecked };
}

function notCounted(id: string): Problem {
  const message = `the rule ${id} finds more than is counted: there are more of these than the numbers say`;
  return { code: "too-many-problems", severity: "info", path: "", message };
}

/** A list of problems that takes so many. */
export function problemList(maxProblems: number = defaultMaxProblems): ProblemList<ValidationProblem> {
  return new ProblemList(maxProblems);
}
