import { type ExpressionNode, printExpression } from "@wye/pipeline-resolver";
import { callTypes } from "./condition-calls.js";
import { called, inDoubles } from "./condition-doubles.js";
import {
  described,
  isNumber,
  type KindAt,
  kindTypes,
  literalTypes,
  type ValueType,
} from "./condition-value-type.js";
import { quote } from "./quote.js";

/** A part of a condition that cannot be computed, and what to write instead. */
export interface TypeClash {
  readonly node: ExpressionNode;
  readonly message: string;
  readonly hint: string;
  /** Two kinds of numbers are computed with: what comes out is of a third, and takes part in more. */
  readonly mixed?: boolean;
}

type Binary = Extract<ExpressionNode, { kind: "binary" }>;

const comparisons: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);

/** Finds what CEL cannot compute although it is well formed, once the types of the inputs that it reads are known. */
export class ConditionTypes {
  readonly clashes: TypeClash[] = [];
  /** What comes out, as far as that is certain. */
  readonly type: ValueType | undefined;
  private readonly kindAt: KindAt;

  /** @param kindAt  the declared type of the input that a part of the expression reads */
  constructor(root: ExpressionNode, kindAt: KindAt) {
    this.kindAt = kindAt;
    const type = this.typeOf(root);
    this.type = type;
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
        return this.index(node);
      case "member":
        return this.member(node);
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

  private binary(node: Binary): ValueType | undefined {
    const { operator, left, right } = node;
    if (operator === "&&" || operator === "||") {
      this.wantBool(left);
      this.wantBool(right);
      return "bool";
    }
    const from = this.clashes.length;
    const [a, b] = [this.typeOf(left), this.typeOf(right)];
    if (comparisons.has(operator)) this.joinRemedies(node, from);
    if (operator === "==" || operator === "!=") return "bool";
    if (operator === "in") {
      if (b !== undefined && b !== "list" && b !== "map") {
        const hint = b === "text" ? `write ${printExpression(right)}.contains(…)` : "use a list";
        this.clash(right, `${printed(right)} is ${described[b]}, and not a list to look into`, hint);
      }
      return "bool";
    }
    if (comparisons.has(operator)) {
      this.order(node, a, b);
      return "bool";
    }
    return this.arithmetic(node, a, b);
  }

  /** What a sum of doubles is compared with has to be a double as well, so that one remedy is for both. */
  private joinRemedies(comparison: ExpressionNode, from: number): void {
    const own = this.clashes.slice(from);
    const mended = own.some(({ mixed }) => mixed) ? inDoubles(comparison, this.kindAt) : undefined;
    if (mended === undefined) return;
    const hint = `write ${printExpression(mended)}`;
    this.clashes.splice(
      from,
      own.length,
      ...own.map((one) => (one.mixed ? { ...one, node: comparison, hint } : one)),
    );
  }

  private order({ left, right, ...node }: Binary, a: ValueType | undefined, b: ValueType | undefined): void {
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
      orderHint(whole, a, b, this.kindAt),
    );
  }

  private arithmetic(
    { left, right, ...node }: Binary,
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
      const message = `CEL does not mix kinds of numbers in ${operator}, and the number of an input is a double`;
      const mended = inDoubles(whole, this.kindAt);
      const hint =
        mended === undefined ? "bring both to one kind by double(…)" : `write ${printExpression(mended)}`;
      this.clashes.push({ node: whole, message, hint, mixed: true });
      return undefined;
    }
    const hint = operator === "+" ? sumHint(whole, a, b) : "use numbers";
    return this.clash(whole, `${described[a]} ${operator} ${described[b]} cannot be computed`, hint);
  }

  private call(node: Extract<ExpressionNode, { kind: "call" }>): ValueType | undefined {
    const { type, clash } = callTypes(node, (part) => this.typeOf(part));
    if (clash === undefined) return type;
    const subject = clash.node === node ? (node.target ?? node.args[0] ?? node) : clash.node;
    this.clash(clash.node, `${printed(subject)} is ${described[clash.type]}, ${clash.why}`, clash.hint);
    return type;
  }

  private member({ target, field, ...node }: Extract<ExpressionNode, { kind: "member" }>): undefined {
    const type = this.typeOf(target);
    if (type === undefined || type === "map") return undefined;
    const text = printExpression(target);
    const hint =
      type === "text" || type === "list"
        ? ["length", "size", "len"].includes(field)
          ? `write size(${text})`
          : type === "list"
            ? `look at one of its values: ${text}[0]`
            : `if it holds JSON, write parseJson(${text}).${field}`
        : `use ${text} itself`;
    const whole = { ...node, target, field };
    return this.clash(whole, `${printed(target)} is ${described[type]}, which has no fields`, hint);
  }

  private index({ target, index, ...node }: Extract<ExpressionNode, { kind: "index" }>): undefined {
    const [type, by] = [this.typeOf(target), this.typeOf(index)];
    const whole = { ...node, target, index };
    const text = printExpression(target);
    const clash = (what: string, hint: string): undefined =>
      this.clash(whole, `${printed(target)} is ${what}`, hint);
    if (type === "text") {
      const parsed = `if it holds JSON, write parseJson(${text})[…]`;
      const hint = by === "text" ? parsed : `use startsWith, endsWith, contains or matches; ${parsed}`;
      return clash("a text, of which no part can be taken", hint);
    }
    if (type !== undefined && type !== "list" && type !== "map") {
      return clash(`${described[type]}, which has no parts`, `use ${text} itself`);
    }
    if (type === "list" && by === "text")
      return clash("a list, whose values have no names", `use a position: ${text}[0]`);
    if (type !== "map" || by === undefined || by === "text") return undefined;
    const hint = index.kind === "literal" ? `write ${text}['${String(index.value)}']` : "use a text";
    return clash("an object, whose names are texts", hint);
  }
}

const printed = (node: ExpressionNode): string => quote(printExpression(node));

/** How a value is made true or false. */
function compareHint(node: ExpressionNode, type: ValueType): string {
  const text = printExpression(node);
  const shortened = text.length > 60 ? "it" : text;
  if (type === "list" || type === "map") return `compare its size: size(${shortened}) > 0`;
  // A comparison behind a choice would be of its last part.
  const whole = node.kind === "conditional" && shortened === text ? `(${text})` : shortened;
  return type === "text" ? `compare it: ${whole} == 'true'` : `compare it: ${whole} != 0`;
}

/** What to do about a text and a number: whole numbers and others are read from a text alike. */
function orderHint(whole: Binary, a: ValueType, b: ValueType, kindAt: KindAt): string {
  for (const [type, other, side, beside] of [
    [a, b, "left", "right"],
    [b, a, "right", "left"],
  ] as const) {
    if (type !== "text" || !isNumber(other)) continue;
    const node = whole[side];
    if (node.kind === "literal" && /^-?\d+(\.\d+)?$/.test(String(node.value))) {
      return `write ${String(node.value)} without quotes`;
    }
    const number = inDoubles(whole[beside], kindAt) ?? whole[beside];
    return `write ${printExpression({ ...whole, [side]: called("double", node), [beside]: number })}`;
  }
  return "compare values of the same type";
}

/** What to do about a text that something else is to be put behind. */
function sumHint(whole: Binary, a: ValueType, b: ValueType): string {
  const types = [a, b];
  if (!types.includes("text")) return "use numbers";
  if (types.includes("list") || types.includes("map")) {
    return "a list or object has no text: use one of its parts";
  }
  const side = a === "text" ? "right" : "left";
  return `write ${printExpression({ ...whole, [side]: called("string", whole[side]) })}`;
}

const asInt = (node: ExpressionNode, type: ValueType): string =>
  type === "int"
    ? printExpression(node)
    : node.kind === "literal"
      ? String(Math.trunc(Number(node.value)))
      : `int(${printExpression(node)})`;
