import {
  type Condition,
  compileExpression,
  type ExpressionNode,
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

/** The trigger conditions by their tasks. */
export function conditionsByTask(graph: PipelineGraph): ReadonlyMap<TaskNode, ConditionUse> {
  return new Map(graph.once(conditionUses).map((use) => [use.task, use]));
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

/** A condition that can be read, with the types of what it reads. */
export interface TypedCondition extends ConditionUse {
  readonly root: ExpressionNode;
  /** The declared type of the parameter that a part of the condition reads, when that is known. */
  readonly kindAt: (node: ExpressionNode) => ParameterKind | undefined;
}

/** The conditions of which nothing is wrong but, perhaps, the types of what they read. */
export function typedConditions(index: PipelineGraph): readonly TypedCondition[] {
  return index.once(conditionUses).flatMap((use) => {
    const { root, problems } = use.condition;
    if (root === undefined || problems.length > 0) return [];
    const kinds = referencedKinds(use);
    return [{ ...use, root, kindAt: (node) => (isParameter(node) ? kinds.get(node.span.start) : undefined) }];
  });
}

/** True for `inputs.parameter_values[…]` and `inputs.parameter_values.…`, without what is read of it. */
function isParameter(node: ExpressionNode): boolean {
  if (node.kind !== "index" && node.kind !== "member") return false;
  const { target } = node;
  return target.kind === "member" && target.field === "parameter_values" && target.target.kind === "name";
}

/** The types of the parameters that a condition reads or looks into, by where that begins. */
function referencedKinds({ task, condition }: ConditionUse): ReadonlyMap<number, ParameterKind> {
  const kinds = new Map<number, ParameterKind>();
  for (const reference of condition.references) {
    // Where only its presence is asked, nothing of its type comes out.
    const read = reference.presence ? reference.within : reference;
    const kind = read && referencedKind(task, read);
    if (read !== undefined && kind !== undefined) kinds.set(read.span.start, kind);
  }
  return kinds;
}

function referencedKind(task: TaskNode, reference: ExpressionReference): ParameterKind | undefined {
  if (reference.source !== "inputs.parameter_values" || reference.name === undefined) return undefined;
  const { name } = reference;
  const declared = task.component && kindOf(inputParameter(task.component, name));
  if (declared !== undefined) return declared;
  const input = task.input("parameter", name);
  return input && parameterSource(input)?.declaration;
}
