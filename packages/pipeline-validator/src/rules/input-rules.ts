import {
  type ComparisonBudget,
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
import { areCompatible, describeArtifact } from "../artifact-type.js";
import { isSupplied, missingInputs } from "../missing-inputs.js";
import { type Named, near } from "../name-hint.js";
import { kindOf, type ParameterKind } from "../parameter-kind.js";
import {
  artifactSource,
  parameterSource,
  suppliedArtifacts,
  suppliedParameters,
} from "../parameter-source.js";
import { placeholderNames } from "../placeholder-uses.js";
import { quote } from "../quote.js";
import { always, type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { nearest } from "../suggest.js";

const inputMissing: Rule = {
  id: "input-missing",
  summary: "A task supplies every required input of its component.",
  reason: "The driver fails with `neither value nor default value provided` when the task is to start.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {inputs: {parameters: {label: null}}}}}}",
    right:
      "root: {dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: large}}}}}}}}",
  },
  *check(index) {
    const misnamed = new Misnamed();
    for (const { kind, name, task, component } of missingInputs(index)) {
      const meant = misnamed.nearest(name, task, component, kind);
      const declared = pointer(`${component.path}/inputDefinitions/${kind}s`, name);
      const related = { at: declared, part: "key", message: "declared here" } as const;
      const sought = [
        pointer(`${task.path}/inputs/${kind}s`, name),
        ...["parameterIterator/itemInput", "artifactIterator/itemInput"].map((one) => `${task.path}/${one}`),
        ...["isOptional", "defaultValue"].map((one) => `${declared}/${one}`),
      ];
      yield {
        at: meant === undefined ? `${task.path}/inputs` : pointer(`${task.path}/inputs/${kind}s`, meant),
        part: "key",
        message: `task ${quote(task.name)} does not supply the input ${kind} ${quote(name)} of ${describeComponent(component)}`,
        hint:
          meant === undefined
            ? `add ${quote(name)} to inputs.${kind}s`
            : `rename ${quote(meant)} to ${quote(name)}`,
        related: [related],
        sought,
      };
    }
  },
};

/** Finds what a task supplies instead of an input that it lacks; those of a task come in a row. */
class Misnamed {
  private last: { of: string; names: readonly string[]; budget: ComparisonBudget } | undefined;

  nearest(name: string, task: TaskNode, component: ComponentNode, kind: ValueKind): string | undefined {
    const of = `${kind} ${task.path}`;
    if (this.last?.of !== of) {
      const supplied = task.inputs.filter((input) => input.kind === kind).map((input) => input.name);
      const names = supplied.filter((one) => !isDeclared(component, one));
      this.last = { of, names, budget: comparisons(names.length) };
    }
    return nearest(name, this.last.names, this.last.budget);
  }
}

/**
 * How long names of one task are compared, which supplies so many that nobody declares: enough for what people write. Each task
 * has a budget of its own, so that what is said of one does not depend on others.
 */
const comparisons = (names: number): ComparisonBudget => ({ steps: 8_000 + 1_000 * names });

/** So many inputs are looked at for one that may have been meant. */
const mostMeant = 300;

function isDeclared(component: ComponentNode, name: string): boolean {
  return inputParameter(component, name) !== undefined || inputArtifact(component, name) !== undefined;
}

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
  const declared = index.once(declaredNames).get(definitions) ?? [];
  const among = firstOpen(task, declared, kind);
  const budget = comparisons(names.length);
  for (const name of names) {
    if (isUsed(name) || name.startsWith("pipelinechannel--") || isHelper(task, name)) continue;
    const meant = nearest(name, among, budget);
    // What it lacks of the required inputs is a matter of another rule, which mentions the misspelling.
    if (meant !== undefined && isRequired(component, meant)) continue;
    yield { task, component, kind, name, meant, among };
  }
}

/** The names of all declared inputs, which are listed once for all tasks. */
function declaredNames({ components }: PipelineGraph): ReadonlyMap<object, readonly string[]> {
  const maps = components.flatMap(({ spec: { inputDefinitions: { parameters, artifacts } = {} } }) => [
    parameters ?? {},
    artifacts ?? {},
  ]);
  return new Map(maps.map((map) => [map, Object.keys(map)]));
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

const sourceMissing: Rule = {
  id: "input-source-missing",
  summary: "An input of a task says where its value comes from.",
  reason: "The driver cannot resolve an input without a source.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {}}}}}}}",
    right: "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 5}}}}}}}}",
  },
  *check(index) {
    for (const { at, name, spec } of index.once(suppliedParameters)) {
      const isEmpty = spec.kind?.$case === "runtimeValue" && spec.kind.value.value === undefined;
      if (spec.kind !== undefined && !isEmpty) continue;
      const message = `the input ${quote(name)} has no value`;
      const hint =
        "add taskOutputParameter, componentInputParameter, taskFinalStatus or runtimeValue.constant";
      yield { at, part: "key", message, hint, sought: [`${at}/*/*`] };
    }
    for (const { at, name, spec } of index.once(suppliedArtifacts)) {
      if (spec.kind !== undefined) continue;
      const message = `the input artifact ${quote(name)} has no source`;
      const hint = "add taskOutputArtifact or componentInputArtifact";
      yield { at, part: "key", message, hint, sought: [`${at}/*`] };
    }
  },
};

const typeMismatch: Rule = {
  id: "input-type-mismatch",
  summary: "A parameter is fed from a parameter of the same type.",
  reason: "The driver refuses a value of another kind when the task is to start.",
  severity: always("error"),
  examples: {
    wrong:
      "root: {dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: rows}}}}}}}",
    right: "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {componentInputParameter: rows}}}}}}}",
  },
  *check(index, profile) {
    for (const supplied of index.once(suppliedParameters)) {
      const { task, name, spec } = supplied;
      // A selector gives a value of another type than that of its source.
      if (spec.parameterExpressionSelector !== "" || task.component === undefined) continue;
      const wanted = kindOf(inputParameter(task.component, name));
      const source = parameterSource(supplied);
      if (wanted === undefined || source === undefined) continue;
      if (fits(source.declaration, wanted, profile)) continue;
      const target = {
        at: pointer(`${task.component.path}/inputDefinitions/parameters`, name),
        part: "key",
        message: `${wanted} is wanted here`,
      } as const;
      const message = `the input ${quote(name)} is of type ${wanted}, but its source is of type ${source.declaration}`;
      yield { at: source.at, message, related: [source.declared, target] };
    }
  },
};

/** Final statuses travel on as objects in real files. */
function fits(source: ParameterKind, target: ParameterKind, profile: string): boolean {
  if (source === target) return true;
  return profile === "kfp" && source === "TASK_FINAL_STATUS" && target === "STRUCT";
}

/** Artifact inputs whose declaration and source are both known. */
function* artifactConnections(index: PipelineGraph) {
  for (const supplied of index.once(suppliedArtifacts)) {
    const { name } = supplied;
    const { component } = supplied.task;
    const wanted = component && inputArtifact(component, name);
    const source = artifactSource(supplied);
    if (component === undefined || wanted === undefined || source === undefined) continue;
    const wantedAt = pointer(`${component.path}/inputDefinitions/artifacts`, name);
    yield { name, wanted, wantedAt, source };
  }
}

const artifactMismatch: Rule = {
  id: "artifact-type-mismatch",
  summary: "An artifact input is fed from an artifact of a compatible type.",
  reason:
    "The program would find data of another kind than it expects; the compiler refuses such connections.",
  severity: always("error"),
  examples: {
    wrong:
      "components: {comp-train: {inputDefinitions: {artifacts: {data: {artifactType: {schemaTitle: system.Model}}}}}}",
    right:
      "components: {comp-train: {inputDefinitions: {artifacts: {data: {artifactType: {schemaTitle: system.Artifact}}}}}}",
  },
  *check(index) {
    for (const { name, wanted, source } of artifactConnections(index)) {
      if (areCompatible(wanted.artifactType, source.declaration.artifactType)) continue;
      const message = `the input ${quote(name)} is ${describeArtifact(wanted)}, but its source is ${describeArtifact(source.declaration)}`;
      yield { at: source.at, message, related: [source.declared] };
    }
  },
};

const listMismatch: Rule = {
  id: "artifact-list-mismatch",
  summary: "A list of artifacts is fed from a list, a single artifact from a single one.",
  reason: "The program would find several artifacts where it expects one, or the reverse.",
  severity: always("error"),
  examples: {
    wrong: "components: {comp-train: {inputDefinitions: {artifacts: {data: {isArtifactList: true}}}}}",
    right: "components: {comp-train: {inputDefinitions: {artifacts: {data: {isArtifactList: false}}}}}",
  },
  *check(index) {
    for (const { name, wanted, wantedAt, source } of artifactConnections(index)) {
      if (wanted.isArtifactList === source.declaration.isArtifactList) continue;
      const [here, there] = wanted.isArtifactList
        ? ["a list", "a single artifact"]
        : ["a single artifact", "a list"];
      const message = `the input ${quote(name)} is ${here}, but its source is ${there}`;
      const sought = [`${source.declared.at}/isArtifactList`, `${wantedAt}/isArtifactList`];
      yield { at: source.at, message, related: [source.declared], sought };
    }
  },
};

const optionalSource: Rule = {
  id: "optional-feeds-required",
  summary: "A required input is not fed from an optional one that may be absent.",
  reason: "When no value is given the driver fails with `the resolved input parameter is null`.",
  severity: underKfp("warning"),
  examples: {
    wrong: "root: {inputDefinitions: {parameters: {rows: {isOptional: true}}}}",
    right: "root: {inputDefinitions: {parameters: {rows: {isOptional: true, defaultValue: 100}}}}",
  },
  *check(index) {
    for (const supplied of index.once(suppliedParameters)) {
      const { task, name } = supplied;
      const wanted = task.component && inputParameter(task.component, name);
      if (wanted === undefined || wanted.isOptional || wanted.defaultValue !== undefined) continue;
      const source = parameterSource(supplied);
      if (!source?.isOptional) continue;
      const message = `the required input ${quote(name)} is fed from an optional one without default`;
      const sought = [`${source.declared.at}/defaultValue`];
      yield { at: source.at, message, hint: "give it a default", related: [source.declared], sought };
    }
    for (const { name, wanted, source } of artifactConnections(index)) {
      if (wanted.isOptional || !source.isOptional) continue;
      const message = `the required artifact ${quote(name)} is fed from an optional one`;
      yield { at: source.at, message, related: [source.declared] };
    }
  },
};

/** Rules about the inputs of tasks. */
export const inputRules: RuleFamily = {
  title: "Inputs of tasks",
  rules: [
    inputMissing,
    inputMisspelt,
    inputUndeclared,
    sourceMissing,
    typeMismatch,
    artifactMismatch,
    listMismatch,
    optionalSource,
  ],
};
