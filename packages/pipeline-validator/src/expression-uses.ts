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

/** What an expression says. What it takes to run it, which is several times as much, is not kept. */
export type ReadExpression = Pick<Condition | Selector, "root" | "problems" | "references">;

/** Reads expressions of a kind, equal texts once. */
function reader(kind: Condition["kind"] | Selector["kind"]): (text: string) => ReadExpression {
  const known = new Map<string, ReadExpression>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const { root, problems, references } = compileExpression(text, kind);
    const read = { root, problems, references };
    known.set(text, read);
    return read;
  };
}

/** A trigger condition. */
export interface ConditionUse {
  readonly task: TaskNode;
  readonly at: string;
  readonly condition: ReadExpression;
}

/** All trigger conditions. */
export function conditionUses({ tasks }: PipelineGraph): readonly ConditionUse[] {
  const read = reader("condition");
  const uses: ConditionUse[] = [];
  for (const task of tasks) {
    const text = task.spec.triggerPolicy?.condition ?? "";
    if (text !== "") uses.push({ task, at: `${task.path}/triggerPolicy/condition`, condition: read(text) });
  }
  return uses;
}

/** The trigger conditions by their tasks. */
export function conditionsByTask(graph: PipelineGraph): ReadonlyMap<TaskNode, ConditionUse> {
  return new Map(graph.once(conditionUses).map((use) => [use.task, use]));
}

/** A selector, and the input that it works on. */
export interface SelectorUse {
  readonly supplied: ParameterInput;
  readonly at: string;
  readonly selector: ReadExpression;
}

/** All selectors. */
export function selectorUses(index: PipelineGraph): readonly SelectorUse[] {
  const read = reader("selector");
  const uses: SelectorUse[] = [];
  for (const supplied of index.once(suppliedParameters)) {
    const text = supplied.spec.parameterExpressionSelector;
    if (text !== "")
      uses.push({ supplied, at: `${supplied.at}/parameterExpressionSelector`, selector: read(text) });
  }
  return uses;
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
