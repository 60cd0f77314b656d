import { describeComponent, describeValue, pointer } from "@wye/pipeline-spec";
import { itemLists } from "../item-lists.js";
import { fitsKind, isBadInteger, kindOf } from "../parameter-kind.js";
import { suppliedParameters } from "../parameter-source.js";
import { constantAt, constants, declarationAt, declarations, typedConstants } from "../parameter-values.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { valueHint } from "../value-hint.js";
import { wrongInteger, wrongLists } from "../wrong-items.js";

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
    // The back end takes the old form for no value at all, which is told of by itself.
    const old = profile === "spec" ? index.once(typedConstants) : [];
    for (const constant of [...index.once(constants), ...old]) {
      const { input, value, declared, kind } = constant;
      if (kind === undefined || fitsKind(value, kind)) continue;
      // The driver turns every value into text where text is wanted, also a null that is allowed there.
      const isNullable = declared.isOptional || declared.defaultValue !== undefined;
      if (profile === "kfp" && kind === "STRING" && (value !== null || isNullable)) continue;
      if (profile === "spec" && value === null && isNullable) continue;
      // The back end replaces facts of the run by texts, and nothing else; the local runner also inputs, by their values.
      if (profile === "spec" && typeof value === "string" && value.includes("{{$")) continue;
      const message = `the input ${quote(input.name)} is of type ${kind} and cannot be ${describeValue(value)}`;
      const hint = value === null && isNullable ? "leave the input out" : valueHint(value, kind);
      const related = [{ at: declarationAt(constant), part: "key", message: "declared here" } as const];
      yield { at: constantAt(constant), message, hint, related };
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
    for (const constant of index.once(constants)) {
      const { value, kind } = constant;
      if (kind === "NUMBER_INTEGER" && isBadInteger(value))
        yield { at: constantAt(constant), message: text(value), hint };
    }
    for (const { at, declared, kind } of index.once(declarations)) {
      if (kind !== "NUMBER_INTEGER") continue;
      const { defaultValue, literals } = declared;
      if (isBadInteger(defaultValue)) yield { at: `${at}/defaultValue`, message: text(defaultValue), hint };
      for (const [position, literal] of literals.entries()) {
        if (isBadInteger(literal)) yield { at: `${at}/literals/${position}`, message: text(literal), hint };
      }
    }
    for (const { at, message } of wrongLists(index.once(itemLists), wrongInteger))
      yield { at, message, hint };
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
    for (const input of index.once(suppliedParameters)) {
      const { kind } = input.spec;
      const form = kind?.$case === "runtimeValue" ? kind.value.value?.$case : undefined;
      if (form === undefined || form === "constant") continue;
      const hint = form === "constantValue" ? "use constant" : "use componentInputParameter";
      const message = `the back end does not support ${form} for inputs of tasks`;
      yield { at: `${input.at}/runtimeValue/${form}`, part: "key", message, hint };
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

/** Rules about types and constants of parameters. */
export const valueRules: RuleFamily = {
  title: "Types and values of parameters",
  rules: [typeMissing, constantType, integerRange, runtimeValueUnsupported, taskConfigUnused],
};
