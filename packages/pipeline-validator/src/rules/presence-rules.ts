import {
  type ComponentNode,
  inputArtifact,
  inputParameter,
  type PipelineGraph,
  pointer,
  type TaskNode,
  type ValueKind,
} from "@wye/pipeline-spec";
import { ComponentAnswers } from "../component-answers.js";
import { type PlaceholderText, placeholderTexts } from "../placeholder-uses.js";
import { quote } from "../quote.js";
import { always, type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";

const optional = (kind: string, declaration: string, argument: string) => `
components: {comp-report: {inputDefinitions: {${kind}: {extra: ${declaration}}}}}
deploymentSpec: {executors: {exec-report: {container: {args: [${JSON.stringify(argument)}]}}}}
`;
const parameter = "{{$.inputs.parameters['extra']}}";
const artifact = "{{$.inputs.artifacts['extra'].path}}";
const guarded = (text: string) => `{"IfPresent": {"InputName": "extra", "Then": ["${text}"]}}`;
const ofArtifact = "{isOptional: true, artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}";

const parameterUnguarded: Rule = {
  id: "optional-parameter-unguarded",
  summary: "The placeholder of a parameter that may be absent stands inside of `IfPresent`.",
  reason: "The task fails with `parameter not found in executor input` when no value is given.",
  severity: underKfp("error"),
  examples: {
    wrong: optional("parameters", "{parameterType: STRING, isOptional: true}", parameter),
    right: optional("parameters", "{parameterType: STRING, isOptional: true}", guarded(parameter)),
  },
  check: (index) =>
    unguarded(index, "parameter", (component, name) => {
      const declared = inputParameter(component, name);
      return declared?.isOptional === true && declared.defaultValue === undefined;
    }),
};

const artifactUnguarded: Rule = {
  id: "optional-artifact-unguarded",
  summary: "The placeholder of an artifact that may be absent stands inside of `IfPresent`.",
  reason:
    "When there is no artifact the program receives the placeholder with its braces, and has to know it.",
  severity: always("style"),
  examples: {
    wrong: optional("artifacts", ofArtifact, artifact),
    right: optional("artifacts", ofArtifact, guarded(artifact)),
  },
  check: (index) =>
    unguarded(index, "artifact", (component, name) => inputArtifact(component, name)?.isOptional === true),
};

/** Placeholders of inputs that may be absent, in commands whose elements do not ask for them, where some task gives none. */
function* unguarded(
  index: PipelineGraph,
  kind: ValueKind,
  mayBeAbsent: (component: ComponentNode, name: string) => boolean,
): Generator<Finding> {
  const answers = new ComponentAnswers<TaskNode>();
  for (const text of index.once(placeholderTexts)) {
    const isExpanded = text.site === "command" || (text.site === "whole-text" && kind === "parameter");
    if (!isExpanded) continue;
    for (const { placeholder, span } of text.placeholders) {
      if (!("name" in placeholder) || placeholder.kind !== `input-${kind}`) continue;
      const { name } = placeholder;
      if (isAskedFor(text, name)) continue;
      const task = answers.first(text.components, name, (component) => {
        if (!mayBeAbsent(component, name)) return undefined;
        return component.uses.find((use) => use.input(kind, name) === undefined);
      });
      if (task === undefined) continue;
      const message = `the ${kind} ${quote(name)} is optional, and task ${quote(task.name)} does not supply it`;
      const related = [{ at: task.path, part: "key", message: "this task" } as const];
      const sought = [pointer(`${task.path}/inputs/${kind}s`, name)];
      const hint = text.site === "command" ? hints[kind] : "supply it, or write the text here";
      yield { at: text.at, span, message, hint, related, sought };
    }
  }
}

const hints = {
  parameter: "put it into IfPresent, or give the input a default",
  artifact: "put it into IfPresent",
} as const;

const isAskedFor = ({ presenceChecks }: PlaceholderText, name: string): boolean =>
  presenceChecks.some((check) => check.name === name);

/** Rules about inputs that may be absent. */
export const presenceRules: RuleFamily = {
  title: "Placeholders of optional inputs",
  rules: [parameterUnguarded, artifactUnguarded],
};
