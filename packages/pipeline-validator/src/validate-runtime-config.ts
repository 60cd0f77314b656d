import type { Profile } from "@wye/pipeline-resolver";
import { checkOptions, isObject, type Pipeline, readJson } from "@wye/pipeline-spec";
import { boundedProblem } from "./bounded-problem.js";
import { NameHints } from "./name-hint.js";
import { mostOfForm, problemsOfForm } from "./problems-of-form.js";
import { RuleBook, type RuleSettings } from "./rule-book.js";
import { missingValueProblems, placesOfConfig, suppliedValueProblems } from "./runtime-config-problems.js";
import { defaultMaxProblems, problemList, reportOf, type ValidationReport } from "./validation-report.js";

/** How a runtime configuration is judged. */
export interface ValidateRuntimeConfigOptions {
  readonly profile?: Profile;
  /** Rules to turn off or to change in severity, by id. */
  readonly rules?: RuleSettings;
  /** How many problems to list: 1,000 by default, errors before all others. All are counted. */
  readonly maxProblems?: number;
}

/**
 * Checks what a run is to be given, as the server does when the run is created: `runtimeConfig` is the JSON form of the
 * message RuntimeConfig, `{ parameterValues: { … } }`. The paths of its problems are pointers into it.
 */
export function validateRuntimeConfig(
  pipeline: Pick<Pipeline, "spec">,
  runtimeConfig: unknown,
  options: ValidateRuntimeConfigOptions = {},
): ValidationReport {
  checkOptions("validateRuntimeConfig", options, {
    profile: ["kfp", "spec"],
    rules: "any",
    maxProblems: "limit",
  });
  const { profile = "kfp", rules = {}, maxProblems = defaultMaxProblems } = options;
  if (!isObject(pipeline?.spec)) {
    throw new TypeError(
      "validateRuntimeConfig takes the `pipeline` of what parsePipeline gives, or { spec }",
    );
  }
  const { spec } = pipeline;
  const book = new RuleBook(profile, rules);
  const found = problemList(maxProblems);
  const read = readJson("RuntimeConfig", runtimeConfig, {
    deprecations: false,
    maxProblems: mostOfForm(maxProblems),
  });
  const { problems, unlisted } = problemsOfForm(read);
  for (const problem of problems) {
    const severity = book.severityOf(problem.code, problem.severity);
    if (severity !== "off") found.add(severity, () => boundedProblem({ ...problem, severity }));
  }
  found.addUnlisted(unlisted);
  if (!read.ok) return reportOf(found);
  const hints = new NameHints();
  const places = placesOfConfig("");
  for (const finding of [
    ...suppliedValueProblems(spec, read.value, places),
    ...missingValueProblems(spec, read.value, places.values),
  ]) {
    const { code, at: path, message, hint } = finding;
    const severity = book.severityOf(code, "error");
    const help = () => (typeof hint === "object" ? hints.textOf(hint) : hint);
    if (severity !== "off") {
      found.add(severity, () => boundedProblem(withHint({ code, severity, path, message }, help())));
    }
  }
  return reportOf(found);
}

function withHint<P extends object>(problem: P, hint: string | undefined): P & { readonly hint?: string } {
  return hint === undefined ? problem : { ...problem, hint };
}
