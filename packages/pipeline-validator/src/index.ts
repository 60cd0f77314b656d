export type { Profile, TextSpan } from "@wye/pipeline-resolver";
export type {
  ComponentNode,
  ExecutorNode,
  PipelineGraph,
  Problem,
  ProblemCounts,
  Range,
  Severity,
  TaskNode,
} from "@wye/pipeline-spec";
export { defineRule, type OwnRule } from "./define-rule.js";
export { examplePipeline } from "./example-pipeline.js";
export { type FormatOptions, formatProblems, type ShownReport } from "./formats/format-problems.js";
export { type AnnotationOptions, toGithubAnnotations } from "./formats/github-annotations.js";
export { type JsonReport, type JsonReportOptions, toJson } from "./formats/json-report.js";
export {
  type SarifLevel,
  type SarifLocation,
  type SarifLog,
  type SarifMessage,
  type SarifOptions,
  type SarifResult,
  toSarif,
} from "./formats/sarif.js";
export type { Named, NameHint } from "./name-hint.js";
export type { ExampleForm, Finding, Place, RelatedFinding, RuleExamples, RuleSeverity } from "./rule.js";
export type { RuleOptions, RuleSettings } from "./rule-book.js";
export { type RuleDescription, type RuleGroup, ruleCatalogue } from "./rule-catalogue.js";
export { ruleHelp } from "./rule-help.js";
export { type SuggestedFix, suggestFix } from "./suggest-fix.js";
export {
  type ProgrammedPipeline,
  type ValidateOptions,
  type ValidationInput,
  validatePipeline,
} from "./validate-pipeline.js";
export { type ValidateRuntimeConfigOptions, validateRuntimeConfig } from "./validate-runtime-config.js";
export type {
  RelatedPlace,
  UncheckedPart,
  ValidationProblem,
  ValidationReport,
} from "./validation-report.js";
