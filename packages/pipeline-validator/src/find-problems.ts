import type { Profile } from "@wye/pipeline-resolver";
import { buildGraph, type Pipeline, type ProblemList, type Severity } from "@wye/pipeline-spec";
import { type PlacedPipeline, Places } from "./places.js";
import type { Finding } from "./rule.js";
import type { RuleBook } from "./rule-book.js";
import { runtimeConfigProblems } from "./runtime-config-problems.js";
import type { Suppressions } from "./suppressions.js";
import type { UncheckedParts } from "./unchecked-parts.js";
import type { ValidationProblem } from "./validation-report.js";

/** A pipeline, and everything that decides what becomes of what is found in it. */
export interface Search {
  readonly pipeline: PlacedPipeline & Pick<Pipeline, "platform" | "job">;
  readonly text: string;
  readonly profile: Profile;
  readonly book: RuleBook;
  readonly unchecked: UncheckedParts;
  readonly suppressions: Suppressions;
  readonly found: ProblemList<ValidationProblem>;
}

/** What one rule finds beyond this is not counted: connections between all and all would take for ever. */
const mostPerRule = 1_000_000;

/** Runs all rules over a pipeline. What is not listed is only counted, and costs no more than finding it. */
export function findProblems(search: Search): void {
  const { pipeline, profile, book } = search;
  const graph = buildGraph(pipeline);
  const places = new Places(pipeline, search.text);
  for (const { rule, severity } of book.builtIn()) {
    let count = 0;
    for (const finding of rule.check?.(graph, profile) ?? []) {
      take(rule.id, severity, finding, places, search);
      if (++count >= mostPerRule) break;
    }
  }
  for (const { rule, severity } of book.own()) {
    try {
      for (const finding of rule.check(graph, profile))
        take(rule.id, severity, checked(finding), places, search);
    } catch (error) {
      // Whoever wrote the rule has to know, and a validation that ran only in part must not pass for a whole one.
      const message = `the rule ${rule.id} failed: ${error instanceof Error ? error.message : String(error)}`;
      take(
        "rule-failed",
        "error",
        { at: "", message, hint: "mend the rule, or turn it off" },
        places,
        search,
      );
    }
  }
  for (const { code, severity: usual, ...finding } of runtimeConfigProblems(pipeline)) {
    const severity = book.severityOf(code, usual);
    if (severity !== "off") take(code, severity, finding, places, search);
  }
}

function take(code: string, severity: Severity, finding: Finding, places: Places, search: Search): void {
  const { book, found, pipeline, suppressions, unchecked } = search;
  if (book.isAboutSchema(code, pipeline.spec)) return;
  if (finding.sought !== undefined && unchecked.hides(finding.sought)) return;
  if (suppressions.hides(code, () => places.place(finding).range?.start.line)) return;
  found.add(severity, () => ({ code, severity, ...places.problem(finding) }));
}

/** A finding of an own rule, which no compiler may have seen. */
function checked(value: Finding): Finding {
  const isFinding =
    typeof value?.message === "string" && typeof value.at === "string" && /^(?:\/.*)?$/s.test(value.at);
  if (!isFinding) throw new TypeError("a finding has a pointer `at` and a `message`");
  return value;
}
