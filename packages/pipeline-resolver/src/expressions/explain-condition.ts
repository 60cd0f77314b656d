import { renderJson } from "../render-value.js";
import type { TextSpan } from "../text-problem.js";
import { readableValue } from "./cel-result.js";
import { type ExpressionNode, operandsOf } from "./expression-node.js";
import type { ExpressionProblem } from "./expression-problem.js";
import { printExpression } from "./print-expression.js";

/** Why a condition came out as it did. */
export interface ConditionExplanation {
  /** What the condition gave; undefined when it failed. */
  readonly value: boolean | undefined;
  /** Why it failed. */
  readonly problem?: ExpressionProblem;
  /** The comparisons, calls and values that decided, in the order of the text. */
  readonly reasons: readonly ConditionReason[];
  /** All of it in one sentence: `false because …`, or that nothing decides about a constant. */
  readonly summary: string;
}

/** A part of a condition that decided, with what its operands were. */
export interface ConditionReason {
  readonly text: string;
  readonly span: TextSpan;
  /** What the part gave; undefined when it failed. */
  readonly value: unknown;
  /** Why it failed. */
  readonly problem?: ExpressionProblem;
  /** The operands that are not constants. */
  readonly operands: readonly { readonly text: string; readonly span: TextSpan; readonly value: unknown }[];
}

type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: ExpressionProblem };

/** Evaluates a part of the condition by itself. */
type EvaluatePart = (node: ExpressionNode, text: string) => Outcome;

/** Follows the operators of logic down to the operands that decided. */
export function explainCondition(
  root: ExpressionNode | undefined,
  result: Outcome,
  evaluate: EvaluatePart,
): ConditionExplanation {
  const reasons = root ? decisive(root, evaluate).map((node) => reasonFrom(node, evaluate)) : [];
  if (!result.ok) {
    const { problem } = result;
    return { value: undefined, problem, reasons, summary: `failed because ${problem.message}` };
  }
  const value = result.value === true;
  if (root?.kind === "literal") return { value, reasons, summary: `${value}, whatever the inputs are` };
  return { value, reasons, summary: `${value} because ${reasons.map(sentence).join(" and ")}` };
}

/** The parts without operators of logic whose values decide about the node. */
function decisive(node: ExpressionNode, evaluate: EvaluatePart): readonly ExpressionNode[] {
  if (node.kind === "unary" && node.operator === "!") return decisive(node.operand, evaluate);
  if (node.kind === "conditional") {
    const condition = valueGiven(node.condition, evaluate);
    const branch = condition === true ? [node.yes] : condition === false ? [node.no] : [];
    return [node.condition, ...branch].flatMap((one) => decisive(one, evaluate));
  }
  if (node.kind !== "binary" || (node.operator !== "&&" && node.operator !== "||")) return [node];
  const deciding = node.operator === "||";
  const operands = chain(node, node.operator).map((one) => ({ one, value: valueGiven(one, evaluate) }));
  const decided = operands.filter(({ value }) => value === deciding);
  const failed = operands.filter(({ value }) => typeof value !== "boolean");
  const chosen = decided.length > 0 ? decided : failed.length > 0 ? failed : operands;
  return chosen.flatMap(({ one }) => decisive(one, evaluate));
}

/** The operands of `a && b && c`. */
function chain(node: ExpressionNode, operator: "&&" | "||"): readonly ExpressionNode[] {
  if (node.kind !== "binary" || node.operator !== operator) return [node];
  return [...chain(node.left, operator), ...chain(node.right, operator)];
}

function valueGiven(node: ExpressionNode, evaluate: EvaluatePart): unknown {
  const outcome = evaluate(node, printExpression(node));
  return outcome.ok ? outcome.value : undefined;
}

function reasonFrom(node: ExpressionNode, evaluate: EvaluatePart): ConditionReason {
  const text = printExpression(node);
  const outcome = evaluate(node, text);
  const operands = (node.kind === "binary" || node.kind === "call" ? operandsOf(node) : [])
    .filter((operand) => operand.kind !== "literal")
    .map((operand) => ({ operand, outcome: evaluate(operand, printExpression(operand)) }))
    .flatMap(({ operand, outcome: own }) =>
      own.ok ? [{ text: printExpression(operand), span: operand.span, value: readableValue(own.value) }] : [],
    );
  const place = { text, span: node.span, operands };
  return outcome.ok
    ? { ...place, value: readableValue(outcome.value) }
    : { ...place, value: undefined, problem: outcome.problem };
}

function sentence({ text, value, problem, operands }: ConditionReason): string {
  if (problem) return `${text} fails: ${problem.message}`;
  const known = operands.map((operand) => `${operand.text} is ${show(operand.value)}`);
  return known.length > 0 ? `${text} is ${show(value)} (${known.join(", ")})` : `${text} is ${show(value)}`;
}

/** Values as people write them; long ones are cut. */
function show(value: unknown): string {
  const text = renderJson(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
