import type { Placeholder, PlaceholderSegment } from "@wye/pipeline-resolver";
import { type ComponentNode, inputParameter, ownEntry, type PipelineGraph } from "@wye/pipeline-spec";
import { ComponentAnswers } from "../component-answers.js";
import { kubernetesSettings } from "../kubernetes-settings.js";
import { namedObject } from "../named-objects.js";
import { kindOf, kindOfValue, type ParameterKind } from "../parameter-kind.js";
import { parameterSource } from "../parameter-source.js";
import { type PlaceholderText, placeholderTexts } from "../placeholder-uses.js";
import { misspeltPlatforms } from "../platform-part.js";
import { quote } from "../quote.js";
import { type Place, type Rule, type RuleFamily, underKfp } from "../rule.js";

const args = (text: string) =>
  `deploymentSpec: {executors: {exec-report: {container: {args: ${JSON.stringify([text])}}}}}`;

const concatUnsupported: Rule = {
  id: "concat-unsupported",
  summary: "A command does without `Concat`.",
  reason:
    "The open-source back end hands the element to the program as it is; the local runner joins the texts.",
  severity: underKfp("warning"),
  examples: {
    wrong: args(`{"Concat": ["--message=", "{{$.inputs.parameters['message']}}"]}`),
    right: args("--message={{$.inputs.parameters['message']}}"),
  },
  *check(index) {
    for (const { at, hasConcat } of index.once(placeholderTexts)) {
      if (!hasConcat) continue;
      const hint = "write the texts one after the other in one element";
      yield { at, message: "the open-source back end does not expand Concat", hint };
    }
  },
};

const unsupported: Rule = {
  id: "placeholder-unsupported",
  summary: "A placeholder is one that the back end expands at its place.",
  reason: "Others are left as they are, and the program receives the text with its braces.",
  severity: underKfp("warning"),
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-train: {container: {args: [\"{{$.outputs.artifacts['model'].name}}\"]}}}}",
    right:
      "deploymentSpec: {executors: {exec-train: {container: {args: [\"{{$.outputs.artifacts['model'].uri}}\"]}}}}",
  },
  *check(index) {
    for (const text of index.once(placeholderTexts)) {
      for (const placeholder of text.placeholders) {
        const message = whyUnsupported(text, placeholder);
        if (message !== undefined) yield { at: text.at, span: placeholder.span, message };
      }
    }
    for (const { at, value } of settingConstants(index)) {
      if (typeof value !== "string" || !/\{\{\$\.(?:inputs|outputs)\b/.test(value)) continue;
      const message = "the back end expands no placeholder of an input in the Kubernetes settings";
      const hint = "name the input in componentInputParameter, or the output in taskOutputParameter";
      yield { at, message, hint };
    }
  },
};

/** The constants that settings have where they could take a value from the pipeline, and names of objects in their old fields. */
function* settingConstants(index: PipelineGraph): Generator<Place & { readonly value: unknown }> {
  for (const place of index.once(kubernetesSettings).messages) {
    const { name, message, path } = place;
    if (name !== "InputParameterSpec") {
      const named = namedObject(place);
      if (named !== undefined && !named.at.endsWith("/runtimeValue/constant")) yield named;
    } else if (message.kind?.$case === "runtimeValue") {
      yield { at: `${path}/runtimeValue/constant`, value: message.kind.value.value?.value };
    }
  }
}

function whyUnsupported(
  { site, text }: PlaceholderText,
  { placeholder, span }: PlaceholderSegment,
): string | undefined {
  switch (site) {
    case "env":
      return "placeholders in environment variables are not expanded";
    case "metadata":
      return "the back end does not expand placeholders in the metadata of importers";
    case "uri":
      return "the back end takes the URI of an importer as it stands, and expands no placeholder in it";
    case "constant": {
      const isWhole = span.start === 0 && span.end === text.length;
      const isFact = placeholder.kind === "run-fact" && placeholder.fact !== "workspace_path";
      return isFact && !isWhole
        ? "the back end expands this placeholder only as the whole constant"
        : undefined;
    }
    case "command":
      return whyNotInCommand(placeholder);
    default:
      return undefined;
  }
}

function whyNotInCommand(placeholder: Placeholder): string | undefined {
  switch (placeholder.kind) {
    case "executor-input":
    case "input-parameter":
    case "output-parameter":
      return undefined;
    case "input-artifact":
    case "output-artifact": {
      const { kind } = placeholder.part;
      if (kind === "uri" || kind === "path") return undefined;
      return `the back end does not expand ${kind === "whole" ? "a whole artifact" : `the ${kind} of an artifact`}`;
    }
    default:
      return "the back end does not expand this placeholder in a command";
  }
}

const partial: Rule = {
  id: "placeholder-partial",
  summary: "A placeholder for an image or resource is the whole text, and names a parameter.",
  reason: "The driver replaces whole texts only, and Kubernetes refuses what is left.",
  severity: underKfp("error"),
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {image: \"busybox:{{$.inputs.parameters['message']}}\"}}}}",
    right:
      "deploymentSpec: {executors: {exec-report: {container: {image: \"{{$.inputs.parameters['message']}}\"}}}}",
  },
  *check(index) {
    for (const { site, at, text, placeholders, problems } of index.once(placeholderTexts)) {
      const [first] = placeholders;
      if (site !== "whole-text" || first === undefined || problems.length > 0) continue;
      const isWhole = first.span.start === 0 && first.span.end === text.length;
      if (first.placeholder.kind === "input-parameter" && isWhole) continue;
      const message = "the placeholder of an input parameter must be the whole text here";
      yield { at, span: first.span, message, hint: "pass the whole text as an input" };
    }
  },
};

const placeholderType: Rule = {
  id: "placeholder-not-text",
  summary: "A parameter that gives an image or resource is of type STRING.",
  reason: "The driver takes a value of another type for an empty text.",
  severity: underKfp("warning"),
  examples: {
    wrong: `
components: {comp-prepare: {inputDefinitions: {parameters: {rows: {parameterType: NUMBER_INTEGER}}}}}
deploymentSpec: {executors: {exec-prepare: {container: {resources: {resourceCpuLimit: "{{$.inputs.parameters['rows']}}"}}}}}
`,
    right: `
deploymentSpec: {executors: {exec-report: {container: {resources: {resourceCpuLimit: "{{$.inputs.parameters['message']}}"}}}}}
`,
  },
  *check(index) {
    const answers = new ComponentAnswers<ParameterKind>();
    for (const { site, at, placeholders, components } of index.once(placeholderTexts)) {
      const [first] = placeholders;
      if (site !== "whole-text" || first?.placeholder.kind !== "input-parameter") continue;
      const { name } = first.placeholder;
      const kind = answers.first(components, name, (component) =>
        kindsOf(component, name).find((one) => one !== "STRING"),
      );
      if (kind === undefined) continue;
      const message = `the input ${quote(name)} is of type ${kind}, which gives an empty text here`;
      yield { at, span: first.span, message, hint: "make it a STRING" };
    }
  },
};

/** The types that an input of a component has: the declared one, or those of what tasks supply without declaration. */
function kindsOf(component: ComponentNode, name: string): readonly ParameterKind[] {
  const declared = inputParameter(component, name);
  const own = kindOf(declared);
  if (declared !== undefined) return own === undefined ? [] : [own];
  return component.uses.flatMap((task) => {
    const supplied = task.input("parameter", name);
    if (supplied === undefined || supplied.spec.parameterExpressionSelector !== "") return [];
    const { source } = supplied;
    const kind =
      source?.kind === "constant" ? kindOfValue(source.value) : parameterSource(supplied)?.declaration;
    return kind ?? [];
  });
}

const workspaceMissing: Rule = {
  id: "workspace-missing",
  summary: "A pipeline that uses the workspace says how large it is.",
  reason: "Without a size there is no workspace; the compiler refuses such a pipeline.",
  severity: underKfp("error"),
  examples: {
    wrong:
      "root: {dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: '{{$.workspace_path}}'}}}}}}}}",
    right: `
root: {dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: '{{$.workspace_path}}'}}}}}}}}
---
platforms: {kubernetes: {pipelineConfig: {workspace: {size: 1Gi}}}}
`,
  },
  *check(index) {
    if (hasWorkspace(index)) return;
    const message = "the pipeline has no workspace";
    const uses = [...workspaceUses(index)];
    const [elsewhere] = misspeltPlatforms(index).filter(({ single }) => single.pipelineConfig?.workspace);
    if (elsewhere !== undefined && uses.length > 0) {
      const { at, name } = elsewhere;
      const text = `${message}: its settings are under ${quote(name)}`;
      yield { at, part: "key", message: text, hint: 'did you mean "kubernetes"?' };
      return;
    }
    const hint = "set platforms.kubernetes.pipelineConfig.workspace.size";
    const sought = ["/platforms/kubernetes/pipelineConfig/workspace"];
    for (const use of uses) yield { ...use, message, hint, sought };
  },
};

/** Where the workspace is used. */
function* workspaceUses(index: PipelineGraph): Generator<Place> {
  for (const { at, placeholders } of index.once(placeholderTexts)) {
    for (const { placeholder, span } of placeholders) {
      const isPath = placeholder.kind === "run-fact" && placeholder.fact === "workspace_path";
      if (isPath) yield { at, span };
    }
  }
  for (const { spec, path } of index.executors) {
    if (spec.spec?.$case !== "importer" || !spec.spec.value.downloadToWorkspace) continue;
    yield { at: `${path}/importer/downloadToWorkspace`, part: "key" };
  }
}

const hasWorkspace = ({ platform }: PipelineGraph): boolean =>
  ownEntry(platform?.platforms, "kubernetes")?.pipelineConfig?.workspace !== undefined;

/** Rules about what the back end makes of placeholders. */
export const placeholderSupportRules: RuleFamily = {
  title: "Placeholders that the back end knows",
  rules: [concatUnsupported, unsupported, partial, placeholderType, workspaceMissing],
};
