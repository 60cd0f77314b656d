import type { Problem, ProblemCounts } from "@wye/pipeline-spec";
import { defaultMaxProblems } from "./validation-report.js";

/** So many problems of form are told apart, however few are listed: rules may turn them off or change them. */
export const leastProblems = 10_000;

/** As many problems of form as are asked for when so many are to be listed. */
export function mostOfForm(maxProblems: number = defaultMaxProblems): number {
  return Math.max(maxProblems, leastProblems);
}

/** What reading has found, apart from what it has only counted. */
export interface ProblemsOfForm {
  readonly problems: readonly Problem[];
  readonly unlisted: ProblemCounts;
}

/** Tells what was read apart. */
export function problemsOfForm({
  problems: found,
  counts,
}: {
  readonly problems: readonly Problem[];
  readonly counts: ProblemCounts;
}): ProblemsOfForm {
  const problems = found.filter(({ code }) => code !== "too-many-problems");
  const unlisted = { ...counts };
  for (const { severity } of problems) unlisted[severity]--;
  return { problems, unlisted };
}
