import type { Placeholder, PlaceholderSegment, TextSpan } from "@wye/pipeline-resolver";
import {
  type ComponentNode,
  describeComponent,
  inputArtifact,
  inputParameter,
  outputArtifact,
  outputParameter,
  ownEntry,
  type PipelineGraph,
  pointer,
  type TaskNode,
} from "@wye/pipeline-spec";
import { near } from "../name-hint.js";
import { kindOf, kindOfValue, type ParameterKind } from "../parameter-kind.js";
import { parameterSource } from "../parameter-source.js";
import { type PlaceholderText, placeholderTexts } from "../placeholder-uses.js";
import { quote } from "../quote.js";
import { always, type Finding, type RelatedFinding, type Rule, type RuleFamily, underKfp } from "../rule.js";

const args = (text: string) =>
  `deploymentSpec: {executors: {exec-report: {container: {args: ${JSON.stringify([text])}}}}}`;

const invalid: Rule = {
  id: "placeholder-invalid",
  summary: "What begins like a placeholder is one.",
  reason: "An unknown form is left as it is, and the program receives the text with its braces.",
  severity: always("error"),
  examples: {
    wrong: args("{{$.input.parameters['message']}}"),
    right: args("{{$.inputs.parameters['message']}}"),
  },
  *check(index) {
    for (const { at, problems } of index.once(placeholderTexts)) {
      for (const { code, message, hint, span } of problems) {
        if (code !== "structure") yield { at, span, message, hint };
      }
    }
  },
};

const unknown: Rule = {
  id: "placeholder-unknown",
  summary: "A placeholder names an input or output that exists where it is expanded.",
  reason: "The driver fails with `parameter not found in executor input`; outputs are left as they are.",
  severity: always("error"),
  examples: {
    wrong: args("{{$.inputs.parameters['mesage']}}"),
    right: args("{{$.inputs.parameters['message']}}"),
  },
  *check(index) {
    for (const text of index.once(placeholderTexts)) {
      for (const name of namesIn(text)) {
        const finding =
          text.task === undefined
            ? unknownToExecutor(text, name, index.once(suppliedNames))
            : unknownToTask(text.at, text.task, name);
        if (finding !== undefined) yield finding;
      }
    }
  },
};

/** A name in a text. */
interface NameUse {
  readonly name: string;
  readonly span: TextSpan;
  /** What it has to name; `input` for a parameter or an artifact. */
  readonly kind: "input" | "input-parameter" | "input-artifact" | "output-parameter" | "output-artifact";
}

function* namesIn({ placeholders, presenceChecks }: PlaceholderText): Generator<NameUse> {
  for (const { placeholder, span, nameSpan = span } of placeholders) {
    if ("name" in placeholder) yield { name: placeholder.name, span: nameSpan, kind: placeholder.kind };
  }
  for (const { name, nameSpan } of presenceChecks) yield { name, span: nameSpan, kind: "input" };
}

function unknownToTask(at: string, task: TaskNode, { name, span, kind }: NameUse): Finding | undefined {
  const { component } = task;
  if (kind.startsWith("output") || isSupplied(task, kind, name)) return undefined;
  if (component !== undefined && isDeclared(component, kind, name)) return undefined;
  const declared = component?.spec.inputDefinitions?.parameters ?? {};
  const supplied = Object.keys(task.spec.inputs?.parameters ?? {}).filter(
    (one) => !Object.hasOwn(declared, one),
  );
  return {
    at,
    span,
    message: `task ${quote(task.name)} has no input ${quote(name)}`,
    hint: near(name, [...Object.keys(declared), ...supplied]),
    sought: [pointer(`${task.path}/inputs/parameters`, name)],
  };
}

/** What the tasks of each component supply. */
type SuppliedNames = ReadonlyMap<ComponentNode, ReadonlySet<string>>;

function suppliedNames({ components }: PipelineGraph): SuppliedNames {
  return new Map(
    components.map((component) => [
      component,
      new Set(component.uses.flatMap(({ inputs }) => inputs.map(({ kind, name }) => `${kind} ${name}`))),
    ]),
  );
}

function unknownToExecutor(
  { at, components }: PlaceholderText,
  { name, span, kind }: NameUse,
  supplied: SuppliedNames,
): Finding | undefined {
  for (const component of components) {
    // What no task runs gets no inputs; that it is unused is another matter.
    if (component.uses.length === 0 || isDeclared(component, kind, name)) continue;
    // Tasks supply inputs that no component declares, for such placeholders.
    const kinds =
      kind === "input" ? ["parameter", "artifact"] : kind.startsWith("input-") ? [kind.slice(6)] : [];
    if (kinds.some((one) => supplied.get(component)?.has(`${one} ${name}`))) continue;
    const [side = "input", what = "parameter"] = kind.split("-");
    const definitions = component.spec[side === "input" ? "inputDefinitions" : "outputDefinitions"];
    const [same, other] =
      what === "parameter" ? (["parameters", "artifacts"] as const) : (["artifacts", "parameters"] as const);
    const isOther = ownEntry<unknown>(definitions?.[other], name) !== undefined;
    const hint = isOther
      ? `${quote(name)} is one of the ${other}: write ${side}s.${other}`
      : near(name, definitions?.[same]);
    const own = [`${side}Definitions/${same}`, `${side}Definitions/${other}`];
    const sought = [
      ...own.map((part) => pointer(`${component.path}/${part}`, name)),
      ...component.uses.slice(0, 3).map((task) => pointer(`${task.path}/inputs/${same}`, name)),
    ];
    const message = `${describeComponent(component)} has no ${side} ${what} ${quote(name)}`;
    return { at, span, message, hint, related: relatedOf(component), sought };
  }
  return undefined;
}

/** Where the input could come from: the component, and the tasks that run it. */
function relatedOf({ path, uses }: ComponentNode): RelatedFinding[] {
  const tasks = uses.slice(0, 3).map(({ path: task, name }): RelatedFinding => {
    return {
      at: `${task}/inputs`,
      part: "key",
      message: `task ${quote(name)} supplies no such input either`,
    };
  });
  return [{ at: path, part: "key", message: "the component" }, ...tasks];
}

function isDeclared(component: ComponentNode, kind: NameUse["kind"], name: string): boolean {
  switch (kind) {
    case "input":
      return isDeclared(component, "input-parameter", name) || isDeclared(component, "input-artifact", name);
    case "input-parameter":
      return inputParameter(component, name) !== undefined;
    case "input-artifact":
      return inputArtifact(component, name) !== undefined;
    case "output-parameter":
      return outputParameter(component, name) !== undefined;
    case "output-artifact":
      return outputArtifact(component, name) !== undefined;
  }
}

function isSupplied({ spec }: TaskNode, kind: NameUse["kind"], name: string): boolean {
  const { parameters = {}, artifacts = {} } = spec.inputs ?? {};
  return (
    (kind !== "input-artifact" && kind.startsWith("input") && Object.hasOwn(parameters, name)) ||
    (kind !== "input-parameter" && kind.startsWith("input") && Object.hasOwn(artifacts, name))
  );
}

const structureInvalid: Rule = {
  id: "placeholder-structure-invalid",
  summary: "A `Concat` or `IfPresent` element is well formed.",
  reason: "The driver fails with `failed to parse IfPresent JSON`.",
  severity: always("error"),
  examples: {
    wrong: args('{"IfPresent": {"InputName": "message", "Them": ["-m"]}}'),
    right: args('{"IfPresent": {"InputName": "message", "Then": ["-m"]}}'),
  },
  *check(index) {
    for (const { at, problems } of index.once(placeholderTexts)) {
      for (const { code, message, hint, span } of problems) {
        if (code === "structure") yield { at, span, message, hint };
      }
    }
  },
};

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
  },
};

function whyUnsupported(
  { site, text }: PlaceholderText,
  { placeholder, span }: PlaceholderSegment,
): string | undefined {
  switch (site) {
    case "env":
      return "placeholders in environment variables are not expanded";
    case "metadata":
      return "the back end does not expand placeholders in the metadata of importers";
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
    for (const { site, at, placeholders, components } of index.once(placeholderTexts)) {
      const [first] = placeholders;
      if (site !== "whole-text" || first?.placeholder.kind !== "input-parameter") continue;
      const { name } = first.placeholder;
      const kind = components
        .flatMap((component) => kindsOf(component, name))
        .find((one) => one !== "STRING");
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
    const hint = "set platforms.kubernetes.pipelineConfig.workspace.size";
    const sought = ["/platforms/kubernetes/pipelineConfig/workspace"];
    for (const { at, placeholders } of index.once(placeholderTexts)) {
      for (const { placeholder, span } of placeholders) {
        const isPath = placeholder.kind === "run-fact" && placeholder.fact === "workspace_path";
        if (isPath) yield { at, span, message, hint, sought };
      }
    }
    for (const { spec, path } of index.executors) {
      if (spec.spec?.$case !== "importer" || !spec.spec.value.downloadToWorkspace) continue;
      yield { at: `${path}/importer/downloadToWorkspace`, part: "key", message, hint, sought };
    }
  },
};

const hasWorkspace = ({ platform }: PipelineGraph): boolean =>
  ownEntry(platform?.platforms, "kubernetes")?.pipelineConfig?.workspace !== undefined;

/** Rules about placeholders. */
export const placeholderRules: RuleFamily = {
  title: "Placeholders",
  rules: [
    invalid,
    unknown,
    structureInvalid,
    concatUnsupported,
    unsupported,
    partial,
    placeholderType,
    workspaceMissing,
  ],
};
