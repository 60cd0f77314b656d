import {
  type ComponentNode,
  describeComponent,
  inputArtifact,
  inputParameter,
  ownEntry,
  type PipelineGraph,
  pointer,
  type TaskNode,
  type ValueKind,
} from "@wye/pipeline-spec";
import { comparisons } from "../comparisons.js";
import { isSupplied } from "../missing-inputs.js";
import { type Named, near } from "../name-hint.js";
import { placeholderNames } from "../placeholder-uses.js";
import { quote } from "../quote.js";
import { type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { nearest } from "../suggest.js";

/** So many inputs are looked at for one that may have been meant. */
const mostMeant = 300;

const inputMisspelt: Rule = {
  id: "input-misspelt",
  summary: "An input that a task supplies is not a misspelling of a declared one.",
  reason: "The value goes nowhere, and the component uses its default instead.",
  severity: underKfp("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {inputs: {parameters: {epoch: {runtimeValue: {constant: 5}}}}}}}}",
    right: "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 5}}}}}}}}",
  },
  *check(index) {
    for (const one of index.once(undeclaredInputs)) if (one.meant !== undefined) yield undeclared(one);
  },
};

const inputUndeclared: Rule = {
  id: "input-undeclared",
  summary: "A task supplies inputs that its component declares, or that placeholders refer to.",
  reason: "The component cannot read any other input.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong:
      "root: {dag: {tasks: {train: {inputs: {parameters: {colour: {runtimeValue: {constant: blue}}}}}}}}",
    right: "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 5}}}}}}}}",
  },
  *check(index, profile) {
    for (const one of index.once(undeclaredInputs)) {
      if (profile === "spec" || one.meant === undefined) yield undeclared(one);
    }
  },
};

/** An input that a task supplies, of which its component knows nothing. */
interface UndeclaredInput {
  readonly task: TaskNode;
  readonly component: ComponentNode;
  readonly kind: ValueKind;
  readonly name: string;
  /** The input that was probably meant, which the task does not supply. */
  readonly meant: string | undefined;
  /** What the names of those are that may have been meant. */
  readonly among: Named;
}

function undeclared({ task, component, kind, name, among }: UndeclaredInput): Finding {
  const at = pointer(`${task.path}/inputs/${kind}s`, name);
  const message = `${describeComponent(component)} has no input ${kind} ${quote(name)}`;
  const sought = [
    pointer(`${component.path}/inputDefinitions/${kind}s`, name),
    ...(component.executor === undefined ? [] : [`${component.executor.path}/container/*`]),
  ];
  return { at, part: "key", message, hint: near(name, among), sought };
}

function undeclaredInputs(index: PipelineGraph): readonly UndeclaredInput[] {
  const found: UndeclaredInput[] = [];
  for (const task of index.tasks) {
    for (const kind of ["parameter", "artifact"] as const) {
      for (const one of undeclaredBy(index, task, kind)) found.push(one);
    }
  }
  return found;
}

function* undeclaredBy(index: PipelineGraph, task: TaskNode, kind: ValueKind): Generator<UndeclaredInput> {
  const { component } = task;
  if (component === undefined) return;
  const definitions = component.spec.inputDefinitions?.[`${kind}s`] ?? {};
  const supplied = Object.keys(task.spec.inputs?.[`${kind}s`] ?? {});
  const names = supplied.filter((name) => !Object.hasOwn(definitions, name));
  if (names.length === 0) return;
  const isUsed = placeholderNames(index, task);
  const { all, first } = index.once(declaredNames).get(definitions) ?? noNames;
  const suppliesNone = names.length === supplied.length && task.spec.iterator === undefined;
  const among = suppliesNone ? first : firstOpen(task, all, kind);
  const budget = comparisons(names.length);
  for (const name of names) {
    if (isUsed(name) || name.startsWith("pipelinechannel--") || isHelper(task, name)) continue;
    const meant = nearest(name, among, budget);
    // What it lacks of the required inputs is a matter of another rule, which mentions the misspelling.
    if (meant !== undefined && isRequired(component, meant)) continue;
    yield { task, component, kind, name, meant, among };
  }
}

interface DeclaredNames {
  readonly all: readonly string[];
  /** Those that are looked at for a task that supplies none of them. */
  readonly first: readonly string[];
}

const noNames: DeclaredNames = { all: [], first: [] };

/** The names of all declared inputs, which are listed once for all tasks. */
function declaredNames({ components }: PipelineGraph): ReadonlyMap<object, DeclaredNames> {
  const maps = components.flatMap(({ spec: { inputDefinitions: { parameters, artifacts } = {} } }) => [
    parameters ?? {},
    artifacts ?? {},
  ]);
  return new Map(
    maps.map((map) => {
      const all = Object.keys(map);
      return [map, { all, first: all.slice(0, mostMeant) }];
    }),
  );
}

/** Declared inputs that a task does not supply: the first of them. */
function firstOpen(task: TaskNode, declared: readonly string[], kind: ValueKind): readonly string[] {
  const names: string[] = [];
  for (const name of declared) {
    if (!isSupplied(task, name, kind)) names.push(name);
    if (names.length === mostMeant) break;
  }
  return names;
}

/** Compilers hand on placeholders under names that no component declares, for images and resources. */
function isHelper({ spec }: TaskNode, name: string): boolean {
  const kind = ownEntry(spec.inputs?.parameters, name)?.kind;
  const value = kind?.$case === "runtimeValue" ? kind.value.value : undefined;
  return value?.$case === "constant" && typeof value.value === "string" && value.value.includes("{{$");
}

function isRequired(component: ComponentNode, name: string): boolean {
  const parameter = inputParameter(component, name);
  if (parameter !== undefined) return !parameter.isOptional && parameter.defaultValue === undefined;
  return inputArtifact(component, name)?.isOptional === false;
}

/** Rules about inputs that nobody declares. */
export const undeclaredInputRules: RuleFamily = {
  title: "Inputs that are not declared",
  rules: [inputMisspelt, inputUndeclared],
};
