import { inputParameter, type ParameterInput, pointer, type TaskNode } from "@wye/pipeline-spec";
import { unguardedParameters } from "../absent-inputs.js";
import { conditionUses } from "../expression-uses.js";
import { parameterSource } from "../parameter-source.js";
import { quote } from "../quote.js";
import { type RelatedFinding, type Rule, underKfp } from "../rule.js";

const optional = (text: string) => `
root:
  inputDefinitions: {parameters: {rows: {isOptional: true}}}
  dag:
    tasks:
      prepare: {inputs: {parameters: {rows: {componentInputParameter: null, runtimeValue: {constant: 3}}}}}
      branch:
        inputs: {parameters: {rows: {componentInputParameter: rows}}}
        triggerPolicy: {condition: ${JSON.stringify(text)}}
components: {comp-branch: {inputDefinitions: {parameters: {rows: {parameterType: NUMBER_INTEGER, isOptional: true}}}}}
`;

/** Conditions on what may be absent. */
export const conditionAbsent: Rule = {
  id: "condition-optional-unguarded",
  summary: "A condition asks whether an input that may be absent is there before it reads it.",
  reason:
    "The driver leaves out an optional input without a value, and fails with `no such key`; also where it is compared with null.",
  severity: underKfp("warning"),
  examples: {
    wrong: optional("inputs.parameter_values['rows'] > 100"),
    right: optional("'rows' in inputs.parameter_values && inputs.parameter_values['rows'] > 100"),
  },
  *check(index) {
    for (const { task, at, condition } of index.once(conditionUses)) {
      if (condition.problems.length > 0) continue;
      const mayBeAbsent = (name: string) => absence(task, name) !== undefined;
      for (const { name = "", span } of unguardedParameters(condition, mayBeAbsent)) {
        const hint = `write '${name}' in inputs.parameter_values && …, or give the input a default`;
        const absent = absence(task, name);
        if (absent !== undefined) yield { at, span, hint, ...absent };
      }
    }
  },
};

/** Why a declared input without default may have no value. */
function absence(task: TaskNode, name: string) {
  const declared = task.component && inputParameter(task.component, name);
  if (task.component === undefined || declared === undefined || !declared.isOptional) return undefined;
  if (declared.defaultValue !== undefined && declared.defaultValue !== null) return undefined;
  const input = task.input("parameter", name);
  const supplied = input?.kind === "parameter" ? absentSource(input) : notSupplied(task, name);
  if (supplied === undefined) return undefined;
  const place = pointer(`${task.component.path}/inputDefinitions/parameters`, name);
  return { ...supplied, sought: [...supplied.sought, `${place}/defaultValue`] };
}

function absentSource(input: ParameterInput) {
  const source = parameterSource(input);
  if (!source?.isOptional) return undefined;
  const message = `the input ${quote(input.name)} is absent where the optional one that feeds it has no value`;
  return { message, related: [source.declared], sought: [`${source.declared.at}/defaultValue`] };
}

function notSupplied(task: TaskNode, name: string) {
  // What an iteration brings is there.
  if (task.spec.iterator?.value.itemInput === name) return undefined;
  const related: RelatedFinding = {
    at: `${task.path}/inputs`,
    part: "key",
    message: "the inputs of the task",
  };
  const message = `the optional input ${quote(name)} is absent, as task ${quote(task.name)} does not supply it`;
  return { message, related: [related], sought: [pointer(`${task.path}/inputs/parameters`, name)] };
}
