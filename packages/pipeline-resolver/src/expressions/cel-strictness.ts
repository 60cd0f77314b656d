import type { ASTNode } from "@marcbachmann/cel-js";
import { childrenOf, spanOf } from "./cel-node.js";
import type { ExpressionProblem } from "./expression-problem.js";

/** What the back end refuses and the engine does not: orders between kinds of numbers, and indexes of another type. */
export function stricterCheck(node: ASTNode): ExpressionProblem | undefined {
  if (node.op === "<" || node.op === "<=" || node.op === ">" || node.op === ">=") {
    const [left, right] = node.args.map((operand) => staticType(operand)?.name ?? "");
    if (left !== right && numbers.has(left) && numbers.has(right)) {
      const message = `no such overload: ${left} ${node.op} ${right}`;
      const hint = `bring both sides to one type, for example with ${left === "double" ? left : right}(…)`;
      return { code: "type", severity: "error", message, hint, span: spanOf(node) };
    }
  }
  if (node.op === "[]") {
    const [target, index] = node.args;
    const [of, by] = [staticType(target), staticType(index)];
    const field = of?.kind === "message";
    if (field || (of?.keyType?.name === "string" && by?.name !== "string" && by?.name !== "dyn")) {
      const message = `no such overload: ${of?.name}[${by?.name}]`;
      const hint = field
        ? "a field is read with a point: inputs.parameter_values"
        : "names are texts, in quotes";
      return { code: "type", severity: "error", message, hint, span: spanOf(index) };
    }
  }
  for (const child of childrenOf(node)) {
    const problem = stricterCheck(child);
    if (problem) return problem;
  }
  return undefined;
}

const numbers: ReadonlySet<string | undefined> = new Set(["int", "uint", "double"]);

interface StaticType {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: StaticType;
}

/** The type that the checker of the engine has left at a node. */
const staticType = (node: ASTNode): StaticType | undefined => Reflect.get(node, "checkedType");
