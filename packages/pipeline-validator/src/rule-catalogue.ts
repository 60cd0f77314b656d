import type { Profile } from "@wye/pipeline-resolver";
import type { Severity } from "@wye/pipeline-spec";
import type { ExampleForm, RuleExamples, RuleSeverity } from "./rule.js";
import { formTitle, pageOf } from "./rule-help.js";
import { readerProblems, ruleFamilies } from "./rule-table.js";

/** A rule, for people. */
export interface RuleDescription {
  /** The `code` of its problems. */
  readonly id: string;
  /** What is to hold. */
  readonly summary: string;
  /** What happens otherwise. */
  readonly reason: string;
  /** How bad it is under each profile; `style` is off unless the option `style` is set. */
  readonly severity: Readonly<Record<Profile, RuleSeverity>>;
  /** An example that breaks only this rule, and one that breaks none; absent for problems of form. */
  readonly examples?: RuleExamples;
}

/** Rules of one theme. */
export interface RuleGroup {
  readonly title: string;
  /** The name of the page about them; `ruleHelp` gives the address of a rule there. */
  readonly page: string;
  /**
   * What the examples are: merge patches of `examplePipeline` in YAML, text put at its end, or runtime configurations for it.
   */
  readonly exampleForm: ExampleForm;
  readonly rules: readonly RuleDescription[];
}

const lesser: Readonly<Record<string, Severity>> = {
  "ambiguous-scalar": "warning",
  "deprecated-field": "info",
  "document-order": "warning",
  "too-many-problems": "info",
};

/** All rules by theme, as the documentation shows them; the last group is what the reader of files reports. */
export function ruleCatalogue(): readonly RuleGroup[] {
  const groups = ruleFamilies.map(({ title, examples: exampleForm = "patch", rules }): RuleGroup => {
    const described = rules.map(({ id, summary, reason, severity, examples }) => ({
      id,
      summary,
      reason,
      severity,
      examples,
    }));
    return { title, page: pageOf(title), exampleForm, rules: described };
  });
  const form = Object.entries(readerProblems).map(([id, summary]): RuleDescription => {
    const severity = lesser[id] ?? "error";
    return { id, summary, reason: "", severity: { kfp: severity, spec: severity } };
  });
  return [...groups, { title: formTitle, page: pageOf(formTitle), exampleForm: "patch", rules: form }];
}
