import { type ExpressionNode, printExpression } from "@wye/pipeline-resolver";
import type { ParameterKind } from "./parameter-kind.js";
import { quote } from "./quote.js";

/** A part of a condition that cannot be computed, and what to write instead. */
export interface TypeClash {
  readonly node: ExpressionNode;
  readonly message: string;
  readonly hint: string;
}

/** What a part of an expression gives. All numbers of parameters are doubles to CEL, also whole ones. */
type ValueType = "text" | "double" | "int" | "bool" | "list" | "map";

const kindTypes: Readonly<Partial<Record<ParameterKind, ValueType>>> = {
  STRING: "text",
  NUMBER_DOUBLE: "double",
  NUMBER_INTEGER: "double",
  BOOLEAN: "bool",
  LIST: "list",
  STRUCT: "map",
};
const literalTypes: Readonly<Record<string, ValueType>> = {
  string: "text",
  double: "double",
  int: "int",
  bool: "bool",
};
const conversions: Readonly<Record<string, ValueType>> = {
  string: "text",
  double: "double",
  int: "int",
  bool: "bool",
  size: "int",
};
const described: Readonly<Record<ValueType, string>> = {
  text: "a text",
  double: "a number",
  int: "a whole number",
  bool: "true or false",
  list: "a list",
  map: "an object",
};

const textMethods: ReadonlySet<string> = new Set(["startsWith", "endsWith", "contains", "matches"]);
const isNumber = (type: ValueType): boolean => type === "double" || type === "int";

/** Finds what CEL cannot compute although it is well formed, once the types of the inputs that it reads are known. */
export class ConditionTypes {
  readonly clashes: TypeClash[] = [];
  private readonly kindAt: (node: ExpressionNode) => ParameterKind | undefined;

  /** @param kindAt  the declared type of the input that a part of the expression reads */
  constructor(root: ExpressionNode, kindAt: (node: ExpressionNode) => ParameterKind | undefined) {
    this.kindAt = kindAt;
    const type = this.typeOf(root);
    if (type !== undefined && type !== "bool" && this.clashes.length === 0) {
      this.clash(
        root,
        `a condition is true or false, this one is ${described[type]}`,
        compareHint(root, type),
      );
    }
  }

  private clash(node: ExpressionNode, message: string, hint: string): undefined {
    this.clashes.push({ node, message, hint });
  }

  /** What a node gives, as far as that is certain; what cannot be computed on the way is noted. */
  private typeOf(node: ExpressionNode): ValueType | undefined {
    const kind = this.kindAt(node);
    if (kind !== undefined) return kindTypes[kind];
    switch (node.kind) {
      case "literal":
        return literalTypes[node.type];
      case "unary":
        return this.unary(node.operator, node.operand);
      case "binary":
        return this.binary(node);
      case "conditional":
        this.wantBool(node.condition);
        return this.common(this.typeOf(node.yes), this.typeOf(node.no));
      case "call":
        return this.call(node);
      case "index":
      case "member":
        this.typeOf(node.target);
        return undefined;
      case "list":
        return "list";
      case "map":
        return "map";
      default:
        return undefined;
    }
  }

  private common(a: ValueType | undefined, b: ValueType | undefined): ValueType | undefined {
    return a === b ? a : undefined;
  }

  private unary(operator: "!" | "-", operand: ExpressionNode): ValueType | undefined {
    if (operator === "!") {
      this.wantBool(operand);
      return "bool";
    }
    const type = this.typeOf(operand);
    if (type === undefined || isNumber(type)) return type;
    return this.clash(
      operand,
      `${printed(operand)} is ${described[type]}, which has no negative`,
      "use a number",
    );
  }

  private wantBool(node: ExpressionNode): void {
    const type = this.typeOf(node);
    if (type === undefined || type === "bool") return;
    this.clash(
      node,
      `${printed(node)} is ${described[type]}, where true or false is wanted`,
      compareHint(node, type),
    );
  }

  private binary(node: Extract<ExpressionNode, { kind: "binary" }>): ValueType | undefined {
    const { operator, left, right } = node;
    if (operator === "&&" || operator === "||") {
      this.wantBool(left);
      this.wantBool(right);
      return "bool";
    }
    const [a, b] = [this.typeOf(left), this.typeOf(right)];
    if (operator === "==" || operator === "!=") return "bool";
    if (operator === "in") {
      if (b !== undefined && b !== "list" && b !== "map") {
        const hint = b === "text" ? `write ${printExpression(right)}.contains(…)` : "use a list";
        this.clash(right, `${printed(right)} is ${described[b]}, and not a list to look into`, hint);
      }
      return "bool";
    }
    if (["<", "<=", ">", ">="].includes(operator)) {
      this.order(node, a, b);
      return "bool";
    }
    return this.arithmetic(node, a, b);
  }

  private order(
    { left, right, ...node }: Extract<ExpressionNode, { kind: "binary" }>,
    a: ValueType | undefined,
    b: ValueType | undefined,
  ): void {
    for (const [type, part] of [
      [a, left],
      [b, right],
    ] as const) {
      if (type !== "list" && type !== "map") continue;
      const hint = `compare its size: size(${printExpression(part)})`;
      this.clash(part, `${printed(part)} is ${described[type]}, which is neither smaller nor larger`, hint);
      return;
    }
    if (a === undefined || b === undefined || a === b || (isNumber(a) && isNumber(b))) return;
    const whole = { ...node, left, right };
    this.clash(
      whole,
      `${described[a]} cannot be compared with ${described[b]} by ${node.operator}`,
      orderHint(left, right, a, b),
    );
  }

  private arithmetic(
    { left, right, ...node }: Extract<ExpressionNode, { kind: "binary" }>,
    a: ValueType | undefined,
    b: ValueType | undefined,
  ): ValueType | undefined {
    if (a === undefined || b === undefined) return undefined;
    const { operator } = node;
    const whole = { ...node, left, right };
    if (operator === "%" && isNumber(a) && isNumber(b) && (a === "double" || b === "double")) {
      const hint = `write ${asInt(left, a)} % ${asInt(right, b)}`;
      return this.clash(whole, "% takes whole numbers, and the number of an input is none to CEL", hint);
    }
    if (a === b && (isNumber(a) || (operator === "+" && (a === "text" || a === "list")))) return a;
    if (isNumber(a) && isNumber(b)) {
      const hint = `write ${asDouble(left, a)} ${operator} ${asDouble(right, b)}`;
      return this.clash(
        whole,
        `CEL does not mix kinds of numbers in ${operator}, and the number of an input is a double`,
        hint,
      );
    }
    const hint =
      operator === "+" && (a === "text" || b === "text")
        ? "turn the other into a text by string(…)"
        : "use numbers";
    return this.clash(whole, `${described[a]} ${operator} ${described[b]} cannot be computed`, hint);
  }

  private call(node: Extract<ExpressionNode, { kind: "call" }>): ValueType | undefined {
    const { name, target, args } = node;
    const subject = target ?? args[0];
    const type = subject === undefined ? undefined : this.typeOf(subject);
    if (
      name === "size" &&
      subject !== undefined &&
      (type === "double" || type === "int" || type === "bool")
    ) {
      this.clash(
        node,
        `${printed(subject)} is ${described[type]}, which has no size`,
        `write ${printExpression(subject)} itself`,
      );
    }
    if (target !== undefined && textMethods.has(name)) {
      if (type !== undefined && type !== "text") {
        const hint =
          type === "list"
            ? "use in to look into a list"
            : `write string(${printExpression(target)}).${name}(…)`;
        this.clash(node, `${printed(target)} is ${described[type]}, and ${name} is for texts`, hint);
      }
      return "bool";
    }
    return target === undefined || name === "size" ? conversions[name] : undefined;
  }
}

const printed = (node: ExpressionNode): string => quote(printExpression(node));

/** How a value is made true or false. */
function compareHint(node: ExpressionNode, type: ValueType): string {
  const text = printExpression(node);
  const shortened = text.length > 60 ? "it" : text;
  if (type === "text") return `compare it: ${shortened} == 'true'`;
  if (type === "list" || type === "map") return `compare its size: size(${shortened}) > 0`;
  return `compare it: ${shortened} != 0`;
}

function orderHint(left: ExpressionNode, right: ExpressionNode, a: ValueType, b: ValueType): string {
  for (const [type, other, node] of [
    [a, b, left],
    [b, a, right],
  ] as const) {
    const isNumeral =
      node.kind === "literal" && typeof node.value === "string" && /^-?\d+(\.\d+)?$/.test(node.value);
    if (type === "text" && isNumber(other)) {
      return isNumeral
        ? `write ${String(node.value)} without quotes`
        : `write double(${printExpression(node)})`;
    }
  }
  return "compare values of the same type";
}

const asInt = (node: ExpressionNode, type: ValueType): string =>
  type === "int"
    ? printExpression(node)
    : node.kind === "literal"
      ? String(Math.trunc(Number(node.value)))
      : `int(${printExpression(node)})`;

function asDouble(node: ExpressionNode, type: ValueType): string {
  if (type === "double") return printExpression(node);
  return node.kind === "literal" ? `${String(node.value)}.0` : `double(${printExpression(node)})`;
}
