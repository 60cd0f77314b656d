import { checkArguments, describeValue } from "@wye/pipeline-spec";
import type { TextSpan } from "../text-problem.js";

/** What a literal is to CEL: the kinds of numbers differ. */
export type LiteralType = "int" | "uint" | "double" | "string" | "bytes" | "bool" | "null";

/** The operators between two operands. */
export type BinaryOperator =
  | "||"
  | "&&"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "in"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%";

interface Placed {
  /** Where it stands in the text; surrounding parentheses do not count. */
  readonly span: TextSpan;
}

/** A constant: `1` is a `bigint`, `1u` too, `1.0` a number. */
export interface LiteralNode extends Placed {
  readonly kind: "literal";
  readonly type: LiteralType;
  readonly value: string | number | bigint | boolean | null | Uint8Array;
}

/** A variable. */
export interface NameNode extends Placed {
  readonly kind: "name";
  readonly name: string;
}

/** ``target.field``, or ``target.`a field of any name` `` */
export interface MemberNode extends Placed {
  readonly kind: "member";
  readonly target: ExpressionNode;
  readonly field: string;
  /** Where the name of the field stands, with its backticks. */
  readonly fieldSpan: TextSpan;
}

/** `target[index]` */
export interface IndexNode extends Placed {
  readonly kind: "index";
  readonly target: ExpressionNode;
  readonly index: ExpressionNode;
}

/** `name(args)` or `target.name(args)`; macros such as `all` are calls too. */
export interface CallNode extends Placed {
  readonly kind: "call";
  readonly name: string;
  readonly target: ExpressionNode | undefined;
  readonly args: readonly ExpressionNode[];
}

/** `[items]` */
export interface ListNode extends Placed {
  readonly kind: "list";
  readonly items: readonly ExpressionNode[];
}

/** `{key: value}` */
export interface MapNode extends Placed {
  readonly kind: "map";
  readonly entries: readonly { readonly key: ExpressionNode; readonly value: ExpressionNode }[];
}

/** `!operand` or `-operand` */
export interface UnaryNode extends Placed {
  readonly kind: "unary";
  readonly operator: "!" | "-";
  readonly operand: ExpressionNode;
}

/** `left operator right` */
export interface BinaryNode extends Placed {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: ExpressionNode;
  readonly right: ExpressionNode;
}

/** `condition ? yes : no` */
export interface ConditionalNode extends Placed {
  readonly kind: "conditional";
  readonly condition: ExpressionNode;
  readonly yes: ExpressionNode;
  readonly no: ExpressionNode;
}

/** A CEL expression as it was written: macros are not expanded. */
export type ExpressionNode =
  | LiteralNode
  | NameNode
  | MemberNode
  | IndexNode
  | CallNode
  | ListNode
  | MapNode
  | UnaryNode
  | BinaryNode
  | ConditionalNode;

/** The operands of a node, in the order of the text. */
export function operandsOf(node: ExpressionNode): readonly ExpressionNode[] {
  checkArguments("operandsOf", "object", { node });
  switch (node.kind) {
    case "literal":
    case "name":
      return [];
    case "member":
      return [node.target];
    case "index":
      return [node.target, node.index];
    case "call":
      return node.target ? [node.target, ...node.args] : node.args;
    case "list":
      return node.items;
    case "map":
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case "unary":
      return [node.operand];
    case "binary":
      return [node.left, node.right];
    case "conditional":
      return [node.condition, node.yes, node.no];
    default:
      return unknownNode(node);
  }
}

/** Callers without types may hand over anything. */
function unknownNode(node: never): never {
  throw new TypeError(`operandsOf takes a node of an expression, not ${describeValue(node)}`);
}

const comprehensions: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);

/** The variable that a macro such as `list.all(x, …)` brings into the scope of its further arguments. */
export function loopVariable(node: ExpressionNode): string | undefined {
  if (node.kind !== "call" || !node.target || !comprehensions.has(node.name)) return undefined;
  const [variable] = node.args;
  const arity =
    node.name === "map" ? node.args.length === 2 || node.args.length === 3 : node.args.length === 2;
  return arity && variable?.kind === "name" ? variable.name : undefined;
}

/** Visits a node and all below it, with the loop variables that hide outer names there. */
export function walkExpression(
  node: ExpressionNode,
  visit: (node: ExpressionNode, hidden: ReadonlySet<string>) => "skip" | undefined,
  hidden: ReadonlySet<string> = new Set(),
): void {
  if (visit(node, hidden) === "skip") return;
  const variable = loopVariable(node);
  if (variable === undefined || node.kind !== "call" || !node.target) {
    for (const operand of operandsOf(node)) walkExpression(operand, visit, hidden);
    return;
  }
  walkExpression(node.target, visit, hidden);
  const inner = new Set(hidden).add(variable);
  for (const argument of node.args.slice(1)) walkExpression(argument, visit, inner);
}
