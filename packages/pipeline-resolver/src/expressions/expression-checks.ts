import { didYouMean } from "@wye/pipeline-spec";
import type { TextSpan } from "../text-problem.js";
import { int64 } from "./cel-conversions.js";
import {
  type ExpressionKind,
  type ExpressionLanguage,
  knownFunctions,
  languages,
  typeNames,
} from "./expression-language.js";
import {
  type BinaryNode,
  type CallNode,
  type ExpressionNode,
  type LiteralNode,
  type MapNode,
  walkExpression,
} from "./expression-node.js";
import type { ExpressionLimits, ExpressionProblem, ExpressionProblemCode } from "./expression-problem.js";
import { compilePattern } from "./linear-pattern.js";

/** All that can be seen to be wrong without types: names, functions, numbers, keys and patterns. */
export function checkNames(
  text: string,
  root: ExpressionNode,
  { kind, variables }: ExpressionLanguage,
  limits: ExpressionLimits,
): ExpressionProblem[] {
  const problems: ExpressionProblem[] = [];
  const report = (code: ExpressionProblemCode, message: string, span: TextSpan, hint?: string): void => {
    problems.push({ code, severity: "error", message, span, ...(hint === undefined ? {} : { hint }) });
  };
  const negated = new Set<ExpressionNode>();
  walkExpression(root, (node, hidden) => {
    if (node.kind === "name" && !hidden.has(node.name) && !Object.hasOwn(variables, node.name)) {
      if (typeNames.has(node.name)) return undefined;
      const hint = nameHint(node.name, kind);
      report("unknown-name", `unknown variable: ${node.name}`, node.span, hint);
    } else if (node.kind === "call" && !knownFunctions.has(node.name)) {
      report("unknown-function", `unknown function: ${node.name}`, node.span, functionHint(node.name));
    } else if (node.kind === "call" && node.name === "has" && node.args[0]?.kind !== "member") {
      const span = node.args[0]?.span ?? node.span;
      report(
        "syntax",
        "has() takes a field: has(target.field)",
        span,
        "ask 'name' in target for names in quotes",
      );
    } else if (node.kind === "call" && node.name === "matches") {
      const reason = patternProblem(node, limits);
      if (reason) report("invalid-pattern", `invalid pattern of matches(): ${reason}`, node.span);
    } else if (node.kind === "unary" && node.operator === "-") {
      negated.add(node.operand);
    } else if (node.kind === "literal" && node.type === "int" && typeof node.value === "bigint") {
      const value = negated.has(node) ? -node.value : node.value;
      if (int64(value) === undefined) report("invalid-number", `${value} is not a 64-bit integer`, node.span);
    } else if (node.kind === "binary" && groupedOtherwise(node, text)) {
      const hint = "put parentheses around the part that belongs together";
      report("syntax", `${node.operator} is not read after the comparison on its right`, node.span, hint);
    } else if (node.kind === "map") {
      for (const { key, reason } of refusedKeys(node, text)) report("unsupported-key", reason, key.span);
    }
    return undefined;
  });
  return problems;
}

/**
 * CEL reads all comparisons from left to right, the engine takes `a == b < c` for `a == (b < c)`. No sensible condition is written
 * like that, so it is refused.
 */
function groupedOtherwise({ operator, left, right }: BinaryNode, text: string): boolean {
  if (operator !== "==" && operator !== "!=") return false;
  if (right.kind !== "binary" || !["<", "<=", ">", ">=", "in"].includes(right.operator)) return false;
  return !text.slice(left.span.end, right.span.start).includes("(");
}

/** Keys that the back end refuses. */
function* refusedKeys({ entries }: MapNode, text: string): Generator<{ key: LiteralNode; reason: string }> {
  const before = new Set<unknown>();
  for (const { key } of entries) {
    if (key.kind !== "literal") continue;
    const shown = text.slice(key.span.start, key.span.end);
    if (before.has(key.value)) yield { key, reason: `the key ${shown} stands in the map twice` };
    if (["double", "bytes", "null"].includes(key.type)) {
      yield { key, reason: `a key of a map is a text, a whole number or a bool, not ${shown}` };
    }
    before.add(key.value);
  }
}

/** Members of the value that conditions and selectors take for variables of each other. */
function nameHint(name: string, kind: ExpressionKind): string | undefined {
  if (kind === "selector" && (name === "int_value" || name === "double_value")) {
    return "numbers of any kind are number_value";
  }
  if (kind === "selector" && name === "inputs") {
    return "a selector sees the value itself, for example as string_value";
  }
  if (kind === "condition" && Object.hasOwn(languages.selector.variables, name)) {
    return "a condition reads inputs: inputs.parameter_values['name']";
  }
  if (["True", "False", "None", "Null", "NULL", "TRUE", "FALSE"].includes(name)) {
    return `CEL writes ${name === "None" ? "null" : name.toLowerCase()}`;
  }
  const { variables } = languages[kind];
  const near = didYouMean(name, Object.keys(variables));
  return near === undefined
    ? `known here: ${Object.keys(variables).join(", ")}; a text needs quotes`
    : `did you mean ${near}?`;
}

/** Functions that CEL has by another name, or not at all. */
const otherNames: Readonly<Record<string, string>> = {
  existsOne: "write exists_one",
  float: "write double(…)",
  len: "write size(…)",
  length: "write size(…)",
  lower: "CEL leaves the case of texts as it is: compare with each spelling",
  not: "CEL writes ! for not",
  str: "write string(…)",
  upper: "CEL leaves the case of texts as it is: compare with each spelling",
};

function functionHint(name: string): string | undefined {
  if (Object.hasOwn(otherNames, name)) return otherNames[name];
  const near = didYouMean(name, knownFunctions);
  return near === undefined
    ? "only the standard functions of CEL and parseJson are there"
    : `did you mean ${near}?`;
}

function patternProblem(node: CallNode, limits: ExpressionLimits): string | undefined {
  const pattern = node.args.at(-1);
  if (pattern?.kind !== "literal" || typeof pattern.value !== "string") return undefined;
  const compiled = compilePattern(pattern.value, limits.maxPatternLength);
  return typeof compiled === "string" ? compiled : undefined;
}
