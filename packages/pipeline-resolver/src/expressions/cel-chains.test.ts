import { expect, test } from "vitest";
import { compileExpression } from "../index.js";
import { type ExpressionNode, operandsOf } from "./expression-node.js";

const has = (i: number): string => `has(inputs.parameter_values.p${i})`;
const chain = (count: number, operator: string, operand = has): string =>
  Array.from({ length: count }, (_, i) => operand(i)).join(` ${operator} `);
const rootOf = (text: string): ExpressionNode =>
  compileExpression(text, "condition").root ?? expect.unreachable(text);

/** How many operators of logic lie inside of each other. */
function depthOf(node: ExpressionNode): number {
  if (node.kind !== "binary") return 0;
  return 1 + Math.max(...operandsOf(node).map(depthOf));
}

function leavesOf(node: ExpressionNode): readonly ExpressionNode[] {
  return node.kind === "binary" ? operandsOf(node).flatMap(leavesOf) : [node];
}

function* operatorsOf(node: ExpressionNode): Generator<ExpressionNode> {
  if (node.kind !== "binary") return;
  yield node;
  for (const operand of operandsOf(node)) yield* operatorsOf(operand);
}

test.each(["&&", "||"])(
  "250 operands of %s nest as they were read, and more as shallow as can be",
  (operator) => {
    expect([2, 250, 251, 1_024].map((count) => depthOf(rootOf(chain(count, operator))))).toEqual([
      1, 249, 8, 10,
    ]);
  },
);

test("long chains inside of long chains are shallow too", () => {
  const inner = `(${chain(300, "||")})`;
  expect(depthOf(rootOf(`${inner} && ${chain(300, "&&")} && ${inner}`))).toBeLessThan(20);
});

test("the operands of a long chain stay in their order, and each operator spans its own", () => {
  const text = chain(300, "||");
  const root = rootOf(text);
  const texts = leavesOf(root).map(({ span }) => text.slice(span.start, span.end));
  expect(texts).toEqual(Array.from({ length: 300 }, (_, i) => has(i)));
  const operators = [...operatorsOf(root)];
  expect(operators).toHaveLength(299);
  expect(operators.map(({ span }) => span)).toEqual(
    operators.map((one) => {
      const [left, right] = operandsOf(one);
      return { start: left?.span.start, end: right?.span.end };
    }),
  );
});
