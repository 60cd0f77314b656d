import type { Profile } from "@wye/pipeline-resolver";
import {
  buildGraph,
  describeValue,
  type Pipeline,
  type PipelineGraph,
  type Problem,
  type ProblemList,
  type Severity,
} from "@wye/pipeline-spec";
import { boundedProblem } from "./bounded-problem.js";
import { checkedFindings } from "./checked-findings.js";
import { tooLargeForCluster } from "./cluster-size.js";
import { kubernetesSettings } from "./kubernetes-settings.js";
import { type PlacedPipeline, Places } from "./places.js";
import { quote } from "./quote.js";
import type { Finding } from "./rule.js";
import type { RuleBook } from "./rule-book.js";
import { runtimeConfigProblems } from "./runtime-config-problems.js";
import type { Suppressions } from "./suppressions.js";
import { templateRule, templateValues } from "./template-values.js";
import type { UncheckedParts } from "./unchecked-parts.js";
import { unreached } from "./unreached.js";
import { unseenSettings } from "./unseen-settings.js";
import type { ValidationProblem } from "./validation-report.js";

/** A pipeline, and everything that decides what becomes of what is found in it. */
export interface Search {
  readonly pipeline: PlacedPipeline & Pick<Pipeline, "platform" | "job" | "run">;
  readonly text: string;
  readonly profile: Profile;
  readonly book: RuleBook;
  readonly unchecked: UncheckedParts;
  readonly suppressions: Suppressions;
  readonly found: ProblemList<ValidationProblem>;
  /** What the reader could not read because a template was not filled in. */
  readonly unfilled: readonly Problem[];
}

/** What one rule finds beyond this is not counted: connections between all and all would take for ever. */
const mostPerRule = 1_000_000;

/**
 * Runs all rules over a pipeline. What is not listed is only counted, and costs no more than finding it.
 *
 * @returns the rules that find more than is counted
 */
export function findProblems(search: Search): readonly string[] {
  const { pipeline, profile, book } = search;
  const graph = buildGraph(pipeline);
  const places = new Places(pipeline, search.text);
  const uncounted: string[] = [];
  const templates = tellOfTemplate(graph, places, search);
  const isOfTemplate = (at: string): boolean => templates.size > 0 && templates.has(at);
  const takeAll = (id: string, severity: Severity, findings: Iterable<Finding>): void => {
    // What no run comes to is no error, unless somebody wants it to be one.
    const isOfBackEnd = severity === "error" && profile === "kfp" && !book.isChosen(id);
    let count = 0;
    for (const finding of findings) {
      if (isOfTemplate(finding.at)) continue;
      if (++count > mostPerRule) {
        uncounted.push(id);
        return;
      }
      const isLost = isOfBackEnd && graph.once(unreached).has(finding.at);
      take(id, isLost ? "warning" : severity, finding, places, search);
    }
  };
  for (const { at, reason } of graph.once(kubernetesSettings).lost) {
    // What nobody is told of is read as if it were not there, and hides nothing.
    const severity = book.severityOf(reason, "error");
    if (severity === "off") continue;
    search.unchecked.addSetting({ ...places.place({ at }), reason, severity }, at);
  }
  for (const finding of graph.once(unseenSettings)) {
    take("too-large", "info", finding, places, search);
    search.unchecked.addLimit({ ...places.place(finding), reason: "too-large" });
  }
  const large = profile === "kfp" ? tooLargeForCluster(graph) : undefined;
  const asLarge = book.severityOf("too-large", "warning");
  if (large !== undefined && asLarge !== "off") take("too-large", asLarge, large, places, search);
  for (const { appliesTo, rules } of book.builtIn()) {
    if (appliesTo?.(graph) === false) continue;
    for (const { id, check, severity } of rules) takeAll(id, severity, check(graph, profile));
  }
  for (const { rule, severity } of book.own()) {
    try {
      takeAll(rule.id, severity, checkedFindings(rule.check(graph, profile)));
    } catch (error) {
      // Whoever wrote the rule has to know, and a validation that ran only in part must not pass for a whole one.
      const message = `the rule ${rule.id} failed: ${messageOf(error)}`;
      const failed = { at: "", message, hint: "mend the rule, or turn it off" };
      take("rule-failed", "error", failed, places, search);
      search.suppressions.leaveOpen(rule.id);
    }
  }
  for (const { code, ...finding } of runtimeConfigProblems(pipeline)) {
    const severity = book.severityOf(code, "error");
    if (severity !== "off") take(code, severity, finding, places, search);
  }
  return uncounted;
}

/**
 * Tells by one finding of everything that was not filled in: what would be said of each of these values follows from that.
 *
 * @returns the places of which nothing else is told
 */
function tellOfTemplate(graph: PipelineGraph, places: Places, search: Search): ReadonlySet<string> {
  const { book, unfilled } = search;
  const severity = book.severityOf(templateRule, "error");
  const values = graph.once(templateValues);
  const count = values.size + unfilled.length;
  if (severity === "off" || count === 0) return new Set();
  const [at = ""] = values.keys();
  const more = count === 1 ? "" : `, as ${count - 1} more ${count === 2 ? "is" : "are"}`;
  const hint =
    "fill in the template (with helm template, jinja2, envsubst or the like), and check what comes out";
  const [first] = unfilled;
  if (first !== undefined && values.size === 0) {
    const message = `this is still to be filled in${more}`;
    search.found.add(severity, () =>
      boundedProblem({ ...first, code: templateRule, severity, message, hint }),
    );
  } else {
    const message = `${quote(values.get(at) ?? "")} is still to be filled in${more}`;
    take(templateRule, severity, { at, message, hint }, places, search);
  }
  return new Set(values.keys());
}

function take(code: string, severity: Severity, finding: Finding, places: Places, search: Search): void {
  const { book, found, pipeline, suppressions, unchecked } = search;
  if (book.isAboutSchema(code, pipeline.spec)) return;
  if (finding.sought !== undefined && unchecked.hides(finding.sought, severity)) return;
  if (suppressions.hides(code, () => places.place(finding).range?.start.line)) return;
  found.add(severity, () => boundedProblem({ code, severity, ...places.problem(finding) }));
}

/** Whatever is thrown, which may be anything. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `it throws ${describeValue(error)}`;
}
