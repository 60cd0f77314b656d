import type { Profile, TextSpan } from "@wye/pipeline-resolver";
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
import { type PlaceholderSite, type PlaceholderText, placeholderTexts } from "../placeholder-uses.js";
import { quote } from "../quote.js";
import { always, type Finding, type RelatedFinding, type Rule, type RuleFamily, underKfp } from "../rule.js";

const args = (text: string) =>
  `deploymentSpec: {executors: {exec-report: {container: {args: ${JSON.stringify([text])}}}}}`;

const invalid: Rule = {
  id: "placeholder-invalid",
  summary: "What begins like a placeholder is one.",
  reason:
    "An unknown form is left as it is: the program receives the text with its braces, and nothing can be made of it for an image or an amount.",
  severity: always("error"),
  examples: {
    wrong: args("{{$.input.parameters['message']}}"),
    right: args("{{$.inputs.parameters['message']}}"),
  },
  *check(index, profile) {
    for (const text of index.once(placeholderTexts)) {
      if (!mayStayText(text, profile)) yield* malformed(text);
    }
  },
};

/** Templates of other tools, of Go and Helm, are no placeholders and are not meant as such. */
function* malformed({ at, problems }: PlaceholderText): Generator<Finding> {
  for (const { code, severity, message, hint, span } of problems) {
    const isOther = code === "unknown" && severity === "warning";
    if (code !== "structure" && !isOther) yield { at, span, message, hint };
  }
}

/**
 * True for texts in which what nobody fills in may be meant as it stands: programs of several lines, and those in which the back
 * end fills in nothing.
 */
function mayStayText({ site, text }: PlaceholderText, profile: Profile): boolean {
  if (profile !== "kfp") return false;
  if (site === "command") return text.includes("\n");
  return site !== "whole-text" && site !== "custom-job";
}

const asText: Rule = {
  id: "placeholder-left-as-text",
  summary: "What looks like a placeholder in a program, a constant or a variable is one.",
  reason:
    "An unknown form, and an unknown name in a constant, are left as they are. The program runs, and has the text with its braces.",
  severity: underKfp("warning"),
  examples: {
    wrong: args("import sys\nprint('{{$.inputs}}')"),
    right: args("import sys\nprint('{{$.inputs.parameters['message']}}')"),
  },
  *check(index, profile) {
    const answers: Answers = new ComponentAnswers();
    const supplies = index.once(suppliers);
    for (const text of index.once(placeholderTexts)) {
      if (!mayStayText(text, profile)) continue;
      yield* malformed(text);
      const stays = stayingIn(text, profile);
      for (const use of namesIn(text)) {
        const finding = stays(use) ? unknownName(use, text, answers, supplies) : undefined;
        if (finding !== undefined) yield { ...finding, at: text.at, span: use.span };
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
  *check(index, profile) {
    const answers: Answers = new ComponentAnswers();
    const supplies = index.once(suppliers);
    for (const text of index.once(placeholderTexts)) {
      // Nobody fills in anything there, whatever its name.
      if (profile === "kfp" && untouched.has(text.site)) continue;
      const stays = stayingIn(text, profile);
      for (const use of namesIn(text)) {
        if (stays(use)) continue;
        const finding = unknownName(use, text, answers, supplies);
        if (finding !== undefined) yield { ...finding, at: text.at, span: use.span };
      }
    }
  },
};

/** What components say of the names in their texts. */
type Answers = ComponentAnswers<Omit<Finding, "at">>;

/**
 * Tells of which names in a text it is true that they are left as they are where nobody knows them, and that the text may be meant as it stands. The
 * driver fails for unknown inputs, but looks into no element that has an output in it. A text may be long, and have many names.
 */
function stayingIn(text: PlaceholderText, profile: Profile): (use: NameUse) => boolean {
  if (!mayStayText(text, profile)) return () => false;
  const allStay = text.site === "constant" || text.text.includes("$.outputs");
  return ({ kind }) => allStay || kind.startsWith("output");
}

function unknownName(
  use: NameUse,
  { task, components }: PlaceholderText,
  answers: Answers,
  supplies: Suppliers,
) {
  if (task !== undefined) return unknownToTask(task, use);
  const { kind, name, isAsked } = use;
  return answers.first(components, `${kind} ${isAsked} ${name}`, (component) =>
    unknownToComponent(component, use, supplies),
  );
}

/** Where the back end fills in no names. */
const untouched: ReadonlySet<PlaceholderSite> = new Set(["constant", "env", "metadata", "uri"]);

/** A name in a text. */
interface NameUse {
  readonly name: string;
  readonly span: TextSpan;
  /** What it has to name; `input` for a parameter or an artifact. */
  readonly kind: "input" | "input-parameter" | "input-artifact" | "output-parameter" | "output-artifact";
  /** The text asks whether it is there. */
  readonly isAsked: boolean;
}

function* namesIn({
  placeholders,
  presenceChecks,
}: Pick<PlaceholderText, "placeholders" | "presenceChecks">): Generator<NameUse> {
  for (const { placeholder, span, nameSpan = span } of placeholders) {
    if (!("name" in placeholder)) continue;
    const kind = placeholder.kind === "escaped-parameter" ? "input-parameter" : placeholder.kind;
    const { name } = placeholder;
    const isAsked = presenceChecks.some((check) => check.name === name);
    yield { name, span: nameSpan, kind, isAsked };
  }
  for (const { name, nameSpan: span } of presenceChecks) yield { name, span, kind: "input", isAsked: true };
}

function unknownToTask(task: TaskNode, { name, kind }: NameUse): Omit<Finding, "at"> | undefined {
  const { component } = task;
  if (kind.startsWith("output") || isSupplied(task, kind, name)) return undefined;
  if (component !== undefined && isDeclared(component, kind, name)) return undefined;
  const side = kind === "input-artifact" ? "artifacts" : "parameters";
  return {
    message: `task ${quote(task.name)} has no input ${quote(name)}`,
    hint: near(name, component?.spec.inputDefinitions?.[side], { also: task.spec.inputs?.[side] }),
    sought: [pointer(`${task.path}/inputs/${side}`, name)],
  };
}

/** The tasks that supply each input of a component, by kind and name. */
type Suppliers = ReadonlyMap<ComponentNode, ReadonlyMap<string, ReadonlySet<TaskNode>>>;

function suppliers({ components }: PipelineGraph): Suppliers {
  return new Map(
    components.map((component) => {
      const tasks = new Map<string, Set<TaskNode>>();
      for (const task of component.uses) {
        for (const { kind, name } of task.inputs) {
          const input = `${kind} ${name}`;
          tasks.set(input, (tasks.get(input) ?? new Set()).add(task));
        }
      }
      return [component, tasks];
    }),
  );
}

function unknownToComponent(
  component: ComponentNode,
  { name, kind, isAsked }: NameUse,
  supplies: Suppliers,
): Omit<Finding, "at"> | undefined {
  // What no task runs gets no inputs; that it is unused is another matter.
  if (component.uses.length === 0 || isDeclared(component, kind, name)) return undefined;
  // Tasks supply inputs that no component declares, for such placeholders.
  const kinds =
    kind === "input" ? ["parameter", "artifact"] : kind.startsWith("input-") ? [kind.slice(6)] : [];
  const given = kinds.flatMap((one) => supplies.get(component)?.get(`${one} ${name}`) ?? []);
  if (given.length > 0)
    return kind === "input-parameter" && !isAsked ? notByAll(component, name, given[0]) : undefined;
  const [side = "input", what = "parameter"] = kind.split("-");
  const definitions = component.spec[side === "input" ? "inputDefinitions" : "outputDefinitions"];
  const [same, other] =
    what === "parameter" ? (["parameters", "artifacts"] as const) : (["artifacts", "parameters"] as const);
  const isOther = ownEntry<unknown>(definitions?.[other], name) !== undefined;
  const hint = isOther
    ? `${quote(name)} is one of the ${other}: write ${side}s.${other}`
    : near(name, definitions?.[same]);
  const own = [`${side}Definitions/${same}`, `${side}Definitions/${other}`];
  // Tasks supply inputs only.
  const suppliers = side === "input" ? component.uses.slice(0, 3) : [];
  const sought = [
    ...own.map((part) => pointer(`${component.path}/${part}`, name)),
    ...suppliers.map((task) => pointer(`${task.path}/inputs/${same}`, name)),
  ];
  const message = `${describeComponent(component)} has no ${side} ${what} ${quote(name)}`;
  return { message, hint, related: relatedOf(component, suppliers), sought };
}

/** Helper inputs exist task by task: the driver fails for the one that does not supply what the others do. */
function notByAll(
  { uses }: ComponentNode,
  name: string,
  given: ReadonlySet<TaskNode> | undefined,
): Omit<Finding, "at"> | undefined {
  const [supplier] = given ?? [];
  const task = uses.find((use) => given?.has(use) === false);
  if (task === undefined || supplier === undefined) return undefined;
  const message = `task ${quote(task.name)} does not supply ${quote(name)}, which the component does not declare`;
  const hint = `supply it as task ${quote(supplier.name)} does, or declare it with a default`;
  const related = [{ at: `${task.path}/inputs`, part: "key", message: "the inputs of the task" } as const];
  return { message, hint, related, sought: [pointer(`${task.path}/inputs/parameters`, name)] };
}

/** Where the input or output could come from: the component, and the tasks that run it. */
function relatedOf({ path }: ComponentNode, suppliers: readonly TaskNode[]): RelatedFinding[] {
  const tasks = suppliers.map(({ path: task, name }): RelatedFinding => {
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
  rules: [invalid, asText, unknown, structureInvalid, structureMisspelt],
};
