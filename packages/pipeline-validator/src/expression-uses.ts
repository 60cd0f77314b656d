import {
  type Condition,
  compileExpression,
  type ExpressionReference,
  type Selector,
} from "@wye/pipeline-resolver";
import { inputParameter, type ParameterInput, type PipelineGraph, type TaskNode } from "@wye/pipeline-spec";
import { kindOf, type ParameterKind } from "./parameter-kind.js";
import { parameterSource, suppliedParameters } from "./parameter-source.js";

/** A trigger condition. */
export interface ConditionUse {
  readonly task: TaskNode;
  readonly at: string;
  readonly condition: Condition;
}

/** All trigger conditions; equal texts are compiled once. */
export function conditionUses({ tasks }: PipelineGraph): readonly ConditionUse[] {
  const compiled = new Map<string, Condition>();
  return tasks.flatMap((task) => {
    const text = task.spec.triggerPolicy?.condition ?? "";
    if (text === "") return [];
    const condition = compiled.get(text) ?? compileExpression(text, "condition");
    compiled.set(text, condition);
    return [{ task, at: `${task.path}/triggerPolicy/condition`, condition }];
  });
}

/** A selector, and the input that it works on. */
export interface SelectorUse {
  readonly supplied: ParameterInput;
  readonly at: string;
  readonly selector: Selector;
}

/** All selectors; equal texts are compiled once. */
export function selectorUses(index: PipelineGraph): readonly SelectorUse[] {
  const compiled = new Map<string, Selector>();
  return index.once(suppliedParameters).flatMap((supplied) => {
    const text = supplied.spec.parameterExpressionSelector;
    if (text === "") return [];
    const selector = compiled.get(text) ?? compileExpression(text, "selector");
    compiled.set(text, selector);
    return [{ supplied, at: `${supplied.at}/parameterExpressionSelector`, selector }];
  });
}

/** The type of the parameter that a condition reads, when that is known. */
export function referencedKind(task: TaskNode, reference: ExpressionReference): ParameterKind | undefined {
  if (reference.source !== "inputs.parameter_values" || reference.name === undefined) return undefined;
  if (reference.path.length > 0) return undefined;
  const { name } = reference;
  const declared = task.component && kindOf(inputParameter(task.component, name));
  if (declared !== undefined) return declared;
  const input = task.input("parameter", name);
  return input && parameterSource(input)?.declaration;
}
