import type { Rule, RuleFamily } from "./rule.js";
import { artifactRules } from "./rules/artifact-rules.js";
import { branchRules } from "./rules/branch-rules.js";
import { commandRules } from "./rules/command-rules.js";
import { commentRules, fieldRules } from "./rules/comment-rules.js";
import { containerRules } from "./rules/container-rules.js";
import { cycleRules } from "./rules/cycle-rules.js";
import { defaultRules } from "./rules/default-rules.js";
import { envRules } from "./rules/env-rules.js";
import { expressionRules } from "./rules/expression-rules.js";
import { finalStatusRules } from "./rules/final-status-rules.js";
import { flowRules } from "./rules/flow-rules.js";
import { importerRules } from "./rules/importer-rules.js";
import { inputRules } from "./rules/input-rules.js";
import { iteratorItemsRules } from "./rules/iterator-items-rules.js";
import { iteratorRules } from "./rules/iterator-rules.js";
import { nameRules } from "./rules/name-rules.js";
import { oneofRules } from "./rules/oneof-rules.js";
import { outputRules } from "./rules/output-rules.js";
import { pipelineRules } from "./rules/pipeline-rules.js";
import { placeholderRules } from "./rules/placeholder-rules.js";
import { placeholderSupportRules } from "./rules/placeholder-support-rules.js";
import { platformRules } from "./rules/platform-rules.js";
import { podRules } from "./rules/pod-rules.js";
import { podVolumeRules } from "./rules/pod-volume-rules.js";
import { policyRules } from "./rules/policy-rules.js";
import { presenceRules } from "./rules/presence-rules.js";
import { programRules } from "./rules/program-rules.js";
import { referenceRules } from "./rules/reference-rules.js";
import { resolverRules } from "./rules/resolver-rules.js";
import { resourceRules } from "./rules/resource-rules.js";
import { runtimeRules } from "./rules/runtime-rules.js";
import { settingSourceRules } from "./rules/setting-source-rules.js";
import { undeclaredInputRules } from "./rules/undeclared-input-rules.js";
import { unusedRules } from "./rules/unused-rules.js";
import { valueRules } from "./rules/value-rules.js";
import { volumeRules } from "./rules/volume-rules.js";
import { workspaceRules } from "./rules/workspace-rules.js";

/** All rules by theme, in the order in which they run and are documented. */
export const ruleFamilies: readonly RuleFamily[] = [
  pipelineRules,
  referenceRules,
  unusedRules,
  cycleRules,
  flowRules,
  branchRules,
  inputRules,
  undeclaredInputRules,
  valueRules,
  defaultRules,
  outputRules,
  oneofRules,
  iteratorRules,
  iteratorItemsRules,
  expressionRules,
  policyRules,
  finalStatusRules,
  containerRules,
  commandRules,
  envRules,
  resourceRules,
  programRules,
  placeholderRules,
  placeholderSupportRules,
  presenceRules,
  importerRules,
  resolverRules,
  artifactRules,
  platformRules,
  settingSourceRules,
  podRules,
  podVolumeRules,
  volumeRules,
  workspaceRules,
  nameRules,
  fieldRules,
  runtimeRules,
  commentRules,
];

/** What the reader of files reports: kinds of problems that are no rules of the table, but can be turned off like them. */
export const readerProblems: Readonly<Record<string, string>> = {
  "ambiguous-scalar": "A plain text that some YAML readers take for something else.",
  "deprecated-field": "A field that another one replaces.",
  "document-order": "The platform specification comes before the pipeline specification.",
  "duplicate-field": "A field in both of its spellings.",
  "duplicate-key": "A key twice in one map.",
  empty: "There is no document.",
  "inexact-number": "A number that loses digits.",
  "invalid-alias": "A YAML alias without anchor, or inside its own anchor.",
  "invalid-base64": "Bytes that are not base64.",
  "invalid-duration": "A duration that is not a text such as `30s`.",
  "invalid-map-key": "A key of the wrong type.",
  "invalid-merge": "A YAML merge key that merges no map.",
  "invalid-unicode": "A text with half a character.",
  "key-not-text": "A YAML key that is not a text.",
  "no-specification": "There is no pipeline specification.",
  "not-a-pipeline": "The document is something else.",
  "not-text": "The file is binary.",
  "oneof-conflict": "Two fields of which only one can be set.",
  "out-of-range": "A number outside of its range.",
  "rule-failed": "A rule of one's own that throws, or gives what is no finding.",
  "several-pipelines": "A second pipeline specification.",
  "several-platforms": "A second platform specification.",
  "too-deep": "Nesting beyond the limit.",
  "too-large": "A text or a name beyond the limit; or a pipeline that a usual cluster has no room for.",
  "too-many-aliases": "YAML aliases that stand for more than the limit.",
  "too-many-documents": "More YAML documents than the limit.",
  "too-many-problems": "More problems than are listed.",
  "unexpected-null": "Null as an entry of a map or list.",
  "unknown-enum-value": "A name that its enumeration does not have.",
  "unknown-field": "A field that its message does not have.",
  "unsupported-any": "A detail of a status that has no JSON form.",
  "unsupported-tag": "A YAML tag that is not of the JSON schema.",
  "version-1": "A pipeline of version 1.",
  "wrong-type": "A value of the wrong JSON type.",
  "yaml-syntax": "A text that is not YAML.",
};

const rules: ReadonlyMap<string, Rule> = new Map(
  ruleFamilies.flatMap((family) => family.rules.map((rule) => [rule.id, rule])),
);

/** The rule of this id. */
export function findRule(id: string): Rule | undefined {
  return rules.get(id);
}
