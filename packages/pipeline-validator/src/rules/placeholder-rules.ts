import type { TextSpan } from "@wye/pipeline-resolver";
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
import { ComponentAnswers } from "../component-answers.js";
import { near } from "../name-hint.js";
import { type PlaceholderText, placeholderTexts } from "../placeholder-uses.js";
import { quote } from "../quote.js";
import { always, type Finding, type RelatedFinding, type Rule, type RuleFamily } from "../rule.js";

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
      for (const { code, severity, message, hint, span } of problems) {
        // Templates of other tools, of Go and Helm, are no placeholders and are not meant as such.
        const isOther = code === "unknown" && severity === "warning";
        if (code !== "structure" && !isOther) yield { at, span, message, hint };
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
    const answers = new ComponentAnswers<Omit<Finding, "at">>();
    for (const { at, task, components, ...text } of index.once(placeholderTexts)) {
      for (const use of namesIn(text)) {
        const { kind, name, span } = use;
        const finding =
          task === undefined
            ? answers.first(components, `${kind} ${name}`, (component) =>
                unknownToComponent(component, use, index.once(suppliedNames)),
              )
            : unknownToTask(task, use);
        if (finding !== undefined) yield { ...finding, at, span };
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

function* namesIn({
  placeholders,
  presenceChecks,
}: Pick<PlaceholderText, "placeholders" | "presenceChecks">): Generator<NameUse> {
  for (const { placeholder, span, nameSpan = span } of placeholders) {
    if (!("name" in placeholder)) continue;
    const kind = placeholder.kind === "escaped-parameter" ? "input-parameter" : placeholder.kind;
    yield { name: placeholder.name, span: nameSpan, kind };
  }
  for (const { name, nameSpan } of presenceChecks) yield { name, span: nameSpan, kind: "input" };
}

function unknownToTask(task: TaskNode, { name, kind }: NameUse): Omit<Finding, "at"> | undefined {
  const { component } = task;
  if (kind.startsWith("output") || isSupplied(task, kind, name)) return undefined;
  if (component !== undefined && isDeclared(component, kind, name)) return undefined;
  return {
    message: `task ${quote(task.name)} has no input ${quote(name)}`,
    hint: near(name, component?.spec.inputDefinitions?.parameters, { also: task.spec.inputs?.parameters }),
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

function unknownToComponent(
  component: ComponentNode,
  { name, kind }: NameUse,
  supplied: SuppliedNames,
): Omit<Finding, "at"> | undefined {
  // What no task runs gets no inputs; that it is unused is another matter.
  if (component.uses.length === 0 || isDeclared(component, kind, name)) return undefined;
  // Tasks supply inputs that no component declares, for such placeholders.
  const kinds =
    kind === "input" ? ["parameter", "artifact"] : kind.startsWith("input-") ? [kind.slice(6)] : [];
  if (kinds.some((one) => supplied.get(component)?.has(`${one} ${name}`))) return undefined;
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
  return { message, hint, related: relatedOf(component), sought };
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
      for (const { code, severity, message, hint, span } of problems) {
        if (code === "structure" && severity === "error") yield { at, span, message, hint };
      }
    }
  },
};

const structureMisspelt: Rule = {
  id: "placeholder-structure-misspelt",
  summary: "An element that is to be expanded is called `IfPresent` or `Concat`, with these capitals.",
  reason: "Under another name it is a text like any other, which the program gets as it stands.",
  severity: always("warning"),
  examples: {
    wrong: args('{"ifPresent": {"InputName": "message", "Then": ["-m"]}}'),
    right: args('{"IfPresent": {"InputName": "message", "Then": ["-m"]}}'),
  },
  *check(index) {
    for (const { at, problems } of index.once(placeholderTexts)) {
      for (const { code, severity, message, hint, span } of problems) {
        if (code === "structure" && severity === "warning") yield { at, span, message, hint };
      }
    }
  },
};

/** Rules about placeholders. */
export const placeholderRules: RuleFamily = {
  title: "Placeholders",
  rules: [invalid, unknown, structureInvalid, structureMisspelt],
};
