import type { ExpressionNode } from "@wye/pipeline-resolver";
import { isNumber, type KindAt, kindTypes } from "./condition-value-type.js";

const numeric: ReadonlySet<string> = new Set(["+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">="]);

/** The same sum or comparison of numbers with doubles throughout; undefined for anything else. */
export function inDoubles(node: ExpressionNode, kindAt: KindAt): ExpressionNode | undefined {
  const kind = kindAt(node);
  if (kind !== undefined) {
    const type = kindTypes[kind];
    return type !== undefined && isNumber(type) ? node : undefined;
  }
  switch (node.kind) {
    case "literal":
      if (node.type === "double") return node;
      return node.type === "int" ? { ...node, type: "double", value: Number(node.value) } : undefined;
    case "unary": {
      const operand = node.operator === "-" ? inDoubles(node.operand, kindAt) : undefined;
      return operand && { ...node, operand };
    }
    case "binary": {
      if (!numeric.has(node.operator)) return undefined;
      const [left, right] = [inDoubles(node.left, kindAt), inDoubles(node.right, kindAt)];
      return left && right && { ...node, left, right };
    }
    case "call":
      if (node.name === "double") return node;
      if (node.name !== "int" && node.name !== "size") return undefined;
      return called("double", node);
    default:
      return undefined;
  }
}

/** A conversion of a part of an expression. */
export const called = (name: string, node: ExpressionNode): ExpressionNode => ({
  ...{ kind: "call", name, target: undefined },
  ...{ args: [node], span: node.span },
});
