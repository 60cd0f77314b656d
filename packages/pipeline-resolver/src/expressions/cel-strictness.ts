import type { ASTNode } from "@marcbachmann/cel-js";
import { childrenOf, spanOf, staticType } from "./cel-node.js";
import type { ExpressionProblem } from "./expression-problem.js";

/** What the back end refuses and the engine does not: orders between kinds of numbers, and indexes of another type. */
export function stricterCheck(node: ASTNode): ExpressionProblem | undefined {
  if (node.op === "<" || node.op === "<=" || node.op === ">" || node.op === ">=") {
    const [left, right] = node.args.map((operand) => staticType(operand)?.name ?? "");
    if (left !== right && numbers.has(left) && numbers.has(right)) {
      const message = `no such overload: ${left} ${node.op} ${right}`;
      const whole = node.args.find((operand) => operand.op === "value" && typeof operand.args === "bigint");
      const hint =
        whole !== undefined && (left === "double" || right === "double")
          ? `a whole number beside a double is written with a point: ${String(whole.args)}.0`
          : `bring both sides to one type, for example with ${left === "double" ? left : right}(…)`;
      return { code: "type", severity: "error", message, hint, span: spanOf(node) };
    }
  }
  if (node.op === "[]") {
    const [target, index] = node.args;
    const [of, by] = [staticType(target), staticType(index)];
    const field = of?.kind === "message";
    const key = of?.keyType?.name ?? "";
    if (field || (keys.has(key) && by?.name !== key && by?.name !== "dyn")) {
      const message = `no such overload: ${of?.name}[${by?.name}]`;
      const hint = field
        ? "a field is read with a point: inputs.parameter_values"
        : key === "string"
          ? "names are texts, in quotes"
          : undefined;
      const problem = { code: "type", severity: "error", message, span: spanOf(index) } as const;
      return hint === undefined ? problem : { ...problem, hint };
    }
  }
  for (const child of childrenOf(node)) {
    const problem = stricterCheck(child);
    if (problem) return problem;
  }
  return undefined;
}

const keys: ReadonlySet<string> = new Set(["string", "int", "uint", "bool"]);
const numbers: ReadonlySet<string | undefined> = new Set(["int", "uint", "double"]);
