import { type Pipeline, readJson } from "@wye/pipeline-spec";
import type { Profile } from "./rule.js";
import { type RuleSettings, severities } from "./rule-table.js";
import { missingValueProblems, suppliedValueProblems } from "./runtime-config-problems.js";
import { reportOf, type ValidationProblem, type ValidationReport } from "./validation-report.js";

/** How a runtime configuration is judged. */
export interface ValidateRuntimeConfigOptions {
  readonly profile?: Profile;
  /** Rules to turn off or to change in severity, by id. */
  readonly rules?: RuleSettings;
}

/**
 * Checks what a run is to be given, as the server does when the run is created: `runtimeConfig` is the JSON form of the
 * message RuntimeConfig, `{ parameterValues: { … } }`. The paths of its problems are pointers into it.
 */
export function validateRuntimeConfig(
  { spec }: Pick<Pipeline, "spec">,
  runtimeConfig: unknown,
  options: ValidateRuntimeConfigOptions = {},
): ValidationReport {
  const severityOf = severities(options.profile ?? "kfp", options.rules ?? {});
  const read = readJson("RuntimeConfig", runtimeConfig, { deprecations: false });
  const found: ValidationProblem[] = [...read.problems];
  if (read.ok)
    found.push(...suppliedValueProblems(spec, read.value, ""), ...missingValueProblems(spec, read.value));
  const problems = found.flatMap((problem) => {
    const severity = severityOf(problem.code, problem.severity);
    return severity === "off" ? [] : [{ ...problem, severity }];
  });
  return reportOf(problems);
}
