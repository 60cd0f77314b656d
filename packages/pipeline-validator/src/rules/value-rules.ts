import {
  type ComponentInputParameterSpec,
  describeComponent,
  describeValue,
  inputParameter,
  isObject,
  ownEntry,
  type PipelineGraph,
  pointer,
} from "@wye/pipeline-spec";
import { fitsKind, isBadInteger, kindOf, type ParameterKind } from "../parameter-kind.js";
import { suppliedParameters } from "../parameter-source.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";

/** A constant that a task gives to a declared input. */
interface Constant {
  readonly at: string;
  readonly name: string;
  readonly value: unknown;
  readonly declared: ComponentInputParameterSpec;
  readonly declaredAt: string;
  readonly kind: ParameterKind | undefined;
}

function constants(index: PipelineGraph): readonly Constant[] {
  return index.once(suppliedParameters).flatMap(({ task, name, at, spec }) => {
    const { component } = task;
    const declared = component && inputParameter(component, name);
    const value = spec.kind?.$case === "runtimeValue" ? spec.kind.value.value : undefined;
    if (component === undefined || declared === undefined || value?.$case !== "constant") return [];
    const declaredAt = pointer(`${component.path}/inputDefinitions/parameters`, name);
    // A selector works on the value first, so that its type says nothing.
    const kind = spec.parameterExpressionSelector === "" ? kindOf(declared) : undefined;
    return [{ at: `${at}/runtimeValue/constant`, name, value: value.value, declared, declaredAt, kind }];
  });
}

/** A declared input parameter of a component. */
interface Declaration {
  readonly at: string;
  readonly name: string;
  readonly declared: ComponentInputParameterSpec;
  readonly kind: ParameterKind | undefined;
}

function declarations({ components }: PipelineGraph): readonly Declaration[] {
  const all: Declaration[] = [];
  for (const { spec, path } of components) {
    const parameters = spec.inputDefinitions?.parameters ?? {};
    for (const name of Object.keys(parameters)) {
      const declared = ownEntry(parameters, name);
      if (declared === undefined) continue;
      all.push({
        at: pointer(`${path}/inputDefinitions/parameters`, name),
        name,
        declared,
        kind: kindOf(declared),
      });
    }
  }
  return all;
}

const typeOf = (at: string): string[] => [`${at}/parameterType`, `${at}/type`];

const typeMissing: Rule = {
  id: "parameter-type-missing",
  summary: "Every parameter declares its type.",
  reason: "The server refuses runs of a pipeline with such an input, and no value can be checked.",
  severity: always("error"),
  examples: {
    wrong: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {parameterType: null}}}}}",
    right:
      "components: {comp-train: {inputDefinitions: {parameters: {epochs: {parameterType: NUMBER_DOUBLE}}}}}",
  },
  *check(index) {
    const hint = "add parameterType, such as STRING";
    for (const { at, name, kind } of index.once(declarations)) {
      if (kind === undefined)
        yield { at, part: "key", message: `the input ${quote(name)} has no type`, hint, sought: typeOf(at) };
    }
    for (const { path, spec } of index.components) {
      for (const [name, declared] of Object.entries(spec.outputDefinitions?.parameters ?? {})) {
        if (kindOf(declared) !== undefined) continue;
        const at = pointer(`${path}/outputDefinitions/parameters`, name);
        yield { at, part: "key", message: `the output ${quote(name)} has no type`, hint, sought: typeOf(at) };
      }
    }
  },
};

const constantType: Rule = {
  id: "constant-type-mismatch",
  summary: "A constant is of the type of the input that it is given to.",
  reason: "The driver refuses it with `input parameter type mismatch` when the task is to start.",
  severity: always("error"),
  examples: {
    wrong:
      "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: five}}}}}}}}",
    right: "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 5}}}}}}}}",
  },
  *check(index, profile) {
    for (const { at, name, value, declared, declaredAt, kind } of index.once(constants)) {
      if (kind === undefined || fitsKind(value, kind)) continue;
      // The driver turns every value into text where text is wanted, and leaves out null where that is allowed.
      if (profile === "kfp" && kind === "STRING" && value !== null) continue;
      if (value === null && declared.isOptional) continue;
      // Whole-text placeholders for the facts of a run are replaced before the type is looked at.
      if (typeof value === "string" && value.includes("{{$")) continue;
      const message = `the input ${quote(name)} is of type ${kind} and cannot be ${describeValue(value)}`;
      yield { at, message, related: [{ at: declaredAt, part: "key", message: "declared here" }] };
    }
  },
};

const integerRange: Rule = {
  id: "integer-range",
  summary: "A NUMBER_INTEGER is a whole number between -(2^53 - 1) and 2^53 - 1.",
  reason: "Others lose digits on their way through JSON, and programs that expect an integer fail.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong: "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 2.5}}}}}}}}",
    right: "root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 2.0}}}}}}}}",
  },
  *check(index) {
    const hint = "use NUMBER_DOUBLE for fractions and STRING for larger integers";
    const text = (value: unknown) => `${String(value)} is not an integer between -(2^53 - 1) and 2^53 - 1`;
    for (const { at, value, kind } of index.once(constants)) {
      if (kind === "NUMBER_INTEGER" && isBadInteger(value)) yield { at, message: text(value), hint };
    }
    for (const { at, declared, kind } of index.once(declarations)) {
      if (kind !== "NUMBER_INTEGER") continue;
      const { defaultValue, literals } = declared;
      if (isBadInteger(defaultValue)) yield { at: `${at}/defaultValue`, message: text(defaultValue), hint };
      for (const [position, literal] of literals.entries()) {
        if (isBadInteger(literal)) yield { at: `${at}/literals/${position}`, message: text(literal), hint };
      }
    }
  },
};

const defaultType: Rule = {
  id: "default-type-mismatch",
  summary: "The default of an input is of its type.",
  reason: "The default is used as it is: the driver or the program fails when no other value is given.",
  severity: always("error"),
  examples: {
    wrong: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {defaultValue: many}}}}}",
    right: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {defaultValue: 10}}}}}",
  },
  *check(index, profile) {
    for (const { at, name, declared, kind } of index.once(declarations)) {
      const { defaultValue } = declared;
      if (defaultValue === undefined || defaultValue === null || kind === undefined) continue;
      if (fitsKind(defaultValue, kind)) continue;
      // The back end makes text of every value where text is wanted, and numbers of texts that are.
      if (profile === "kfp" && (kind === "STRING" || isOldNumber(defaultValue, kind))) continue;
      const message = `the default of ${quote(name)}, which is of type ${kind}, cannot be ${describeValue(defaultValue)}`;
      yield { at: `${at}/defaultValue`, message };
    }
  },
};

/** Old compilers wrote the defaults of numbers as text. */
function isOldNumber(value: unknown, kind: ParameterKind): boolean {
  return (
    kind.startsWith("NUMBER_") &&
    typeof value === "string" &&
    value.trim() !== "" &&
    !Number.isNaN(Number(value))
  );
}

const literalType: Rule = {
  id: "literal-type-mismatch",
  summary: "The literals of an input are of its type.",
  reason: "A value of the right type could never equal them.",
  severity: always("error"),
  examples: {
    wrong: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [3, '10']}}}}}",
    right: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [3, 10]}}}}}",
  },
  *check(index) {
    for (const { at, name, declared, kind } of index.once(declarations)) {
      for (const [position, literal] of declared.literals.entries()) {
        if (kind === undefined || fitsKind(literal, kind)) continue;
        const message = `${quote(name)} is of type ${kind} and can never be ${describeValue(literal)}`;
        yield { at: `${at}/literals/${position}`, message };
      }
    }
  },
};

/** The texts of literals, of which there may be as many as values that are compared with them. */
const textsOf = new WeakMap<readonly unknown[], ReadonlySet<string>>();

function isLiteral(value: unknown, literals: readonly unknown[]): boolean {
  const texts = textsOf.get(literals) ?? new Set(literals.map(sortedText));
  textsOf.set(literals, texts);
  return texts.has(sortedText(value));
}

/** JSON that is the same for equal values. */
function sortedText(json: unknown): string {
  return JSON.stringify(json, (_, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

const constantLiteral: Rule = {
  id: "constant-not-literal",
  summary: "A constant for an input with literals is one of them.",
  reason: "The driver refuses the value when the task is to start.",
  severity: always("error"),
  examples: {
    wrong: `
root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 5}}}}}}}}
components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [3, 10]}}}}}
`,
    right: `
root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 10}}}}}}}}
components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [3, 10]}}}}}
`,
  },
  *check(index) {
    for (const { at, name, value, declared, declaredAt } of index.once(constants)) {
      const { literals } = declared;
      if (literals.length === 0 || isLiteral(value, literals)) continue;
      if (typeof value === "string" && value.includes("{{$")) continue;
      const message = `${describeValue(value)} is not one of the literals of ${quote(name)}`;
      const hint = `use one of ${JSON.stringify(literals.slice(0, 10)).slice(1, -1)}`;
      yield {
        at,
        message,
        hint,
        related: [{ at: `${declaredAt}/literals`, part: "key", message: "allowed values" }],
      };
    }
  },
};

const defaultLiteral: Rule = {
  id: "default-not-literal",
  summary: "The default of an input with literals is one of them.",
  reason: "The server does not compare the default, so that a value gets in that nobody could give.",
  severity: always("warning"),
  examples: {
    wrong: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [5, 10]}}}}}",
    right: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [3, 10]}}}}}",
  },
  *check(index) {
    for (const { at, name, declared } of index.once(declarations)) {
      const { defaultValue, literals } = declared;
      if (defaultValue === undefined || defaultValue === null || literals.length === 0) continue;
      if (isLiteral(defaultValue, literals)) continue;
      const message = `the default of ${quote(name)}, ${describeValue(defaultValue)}, is not one of its literals`;
      yield { at: `${at}/defaultValue`, message };
    }
  },
};

const runtimeValueUnsupported: Rule = {
  id: "runtime-value-unsupported",
  summary: "A runtime value of a task's input is a `constant`.",
  reason:
    "The driver fails with `param runtime value spec of type … not implemented` for the other two forms.",
  severity: underKfp("error"),
  currentSchemaOnly: true,
  examples: {
    wrong: `
root: {dag: {tasks: {prepare: {inputs: {parameters: {rows: {componentInputParameter: null, runtimeValue: {runtimeParameter: rows}}}}}}}}
`,
    right: "root: {dag: {tasks: {prepare: {inputs: {parameters: {rows: {componentInputParameter: rows}}}}}}}",
  },
  *check(index) {
    for (const { at, spec } of index.once(suppliedParameters)) {
      const form = spec.kind?.$case === "runtimeValue" ? spec.kind.value.value?.$case : undefined;
      if (form === undefined || form === "constant") continue;
      const hint = form === "constantValue" ? "use constant" : "use componentInputParameter";
      const message = `the back end does not support ${form} for inputs of tasks`;
      yield { at: `${at}/runtimeValue/${form}`, part: "key", message, hint };
    }
  },
};

const taskConfigUnused: Rule = {
  id: "task-config-unused",
  summary: "A component with pass-throughs has a TASK_CONFIG input.",
  reason: "The settings are handed over in that input; without it they are lost.",
  severity: underKfp("warning"),
  examples: {
    wrong: "components: {comp-report: {taskConfigPassthroughs: [{field: ENV}]}}",
    right: `
components:
  comp-report:
    taskConfigPassthroughs: [{field: ENV}]
    inputDefinitions: {parameters: {config: {parameterType: TASK_CONFIG}}}
`,
  },
  *check({ components }) {
    for (const component of components) {
      const { taskConfigPassthroughs, inputDefinitions } = component.spec;
      if (taskConfigPassthroughs.length === 0) continue;
      const parameters = Object.values(inputDefinitions?.parameters ?? {});
      if (parameters.some((declared) => kindOf(declared) === "TASK_CONFIG")) continue;
      const at = `${component.path}/taskConfigPassthroughs`;
      yield { at, part: "key", message: `${describeComponent(component)} has no input of type TASK_CONFIG` };
    }
  },
};

/** Rules about types, defaults, literals and constants of parameters. */
export const valueRules: RuleFamily = {
  title: "Types and values of parameters",
  rules: [
    typeMissing,
    constantType,
    integerRange,
    defaultType,
    literalType,
    constantLiteral,
    defaultLiteral,
    runtimeValueUnsupported,
    taskConfigUnused,
  ],
};
