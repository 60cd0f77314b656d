import {
  type ComparisonBudget,
  type ComponentNode,
  describeComponent,
  inputArtifact,
  inputParameter,
  type PipelineGraph,
  pointer,
  type TaskNode,
  type ValueKind,
} from "@wye/pipeline-spec";
import { areCompatible, describeArtifact } from "../artifact-type.js";
import { comparisons } from "../comparisons.js";
import { missingInputs } from "../missing-inputs.js";
import { kindOf, type ParameterKind } from "../parameter-kind.js";
import {
  artifactSource,
  parameterSource,
  suppliedArtifacts,
  suppliedParameters,
} from "../parameter-source.js";
import { quote } from "../quote.js";
import { always, type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { nearest } from "../suggest.js";
import { optionalArtifactHandedOn } from "./optional-artifact-rule.js";

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

function isDeclared(component: ComponentNode, name: string): boolean {
  return inputParameter(component, name) !== undefined || inputArtifact(component, name) !== undefined;
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
    for (const input of index.once(suppliedParameters)) {
      const { name, spec } = input;
      const isEmpty = spec.kind?.$case === "runtimeValue" && spec.kind.value.value === undefined;
      if (spec.kind !== undefined && !isEmpty) continue;
      const message = `the input ${quote(name)} has no value`;
      const hint =
        "add taskOutputParameter, componentInputParameter, taskFinalStatus or runtimeValue.constant";
      yield { at: input.at, part: "key", message, hint, sought: [`${input.at}/*/*`] };
    }
    for (const { at, name } of index.once(suppliedArtifacts).filter(({ source }) => source === undefined)) {
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
      "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: null, taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}}}}}}}",
    right: "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {componentInputParameter: rows}}}}}}}",
  },
  *check(index, profile) {
    yield* mismatches(
      index,
      (source, wanted) => !fits(source, wanted, profile) && !(profile === "kfp" && isTaken(source, wanted)),
    );
  },
};

const typeConverted: Rule = {
  id: "input-type-converted",
  summary: "A parameter is fed from a parameter of the same type, also where the driver takes another one.",
  reason:
    "Where a text is wanted the driver writes any value as one, and it takes numbers of both kinds; compilers refuse both.",
  severity: underKfp("warning"),
  examples: {
    wrong:
      "root: {dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: rows}}}}}}}",
    right: "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {componentInputParameter: rows}}}}}}}",
  },
  *check(index) {
    yield* mismatches(index, (source, wanted) => !fits(source, wanted, "kfp") && isTaken(source, wanted));
  },
};

/** Inputs whose type and that of their source differ in a certain way. */
function* mismatches(
  index: PipelineGraph,
  differ: (source: ParameterKind, wanted: ParameterKind) => boolean,
): Generator<Finding> {
  for (const supplied of index.once(suppliedParameters)) {
    const { task, name, spec } = supplied;
    // A selector gives a value of another type than that of its source.
    if (spec.parameterExpressionSelector !== "" || task.component === undefined) continue;
    const wanted = kindOf(inputParameter(task.component, name));
    const source = parameterSource(supplied);
    if (wanted === undefined || source === undefined || !differ(source.declaration, wanted)) continue;
    const target = {
      at: pointer(`${task.component.path}/inputDefinitions/parameters`, name),
      part: "key",
      message: `${wanted} is wanted here`,
    } as const;
    const message = `the input ${quote(name)} is of type ${wanted}, but its source is of type ${source.declaration}`;
    yield { at: source.at, message, related: [source.declared, target] };
  }
}

const isNumber = (kind: ParameterKind): boolean => kind === "NUMBER_INTEGER" || kind === "NUMBER_DOUBLE";

/** True for another type that the driver takes. */
const isTaken = (source: ParameterKind, wanted: ParameterKind): boolean =>
  wanted === "STRING" || (isNumber(source) && isNumber(wanted));

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
    sourceMissing,
    typeMismatch,
    typeConverted,
    artifactMismatch,
    listMismatch,
    optionalSource,
    optionalArtifactHandedOn,
  ],
};
