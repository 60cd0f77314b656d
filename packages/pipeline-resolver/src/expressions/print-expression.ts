import { checkArguments, describeValue } from "@wye/pipeline-spec";
import type { BinaryOperator, ExpressionNode, LiteralNode } from "./expression-node.js";

const precedence: Readonly<Record<BinaryOperator, number>> = {
  "||": 1,
  "&&": 2,
  "==": 3,
  "!=": 3,
  "<": 3,
  "<=": 3,
  ">": 3,
  ">=": 3,
  in: 3,
  "+": 4,
  "-": 4,
  "*": 5,
  "/": 5,
  "%": 5,
};
const conditionalLevel = 0;
const comparison = 3;
const unaryLevel = 6;
const postfixLevel = 7;

/** The text of an expression in one canonical spelling: parsing it gives the same nodes again. */
export function printExpression(node: ExpressionNode): string {
  checkArguments("printExpression", "object", { node });
  return print(node, conditionalLevel);
}

/** Prints a node for a place that takes operators of the level and tighter ones; looser ones get parentheses. */
function print(node: ExpressionNode, level: number): string {
  const [text, own] = printed(node);
  return own < level ? `(${text})` : text;
}

function printed(node: ExpressionNode): readonly [text: string, level: number] {
  switch (node.kind) {
    case "literal":
      return [printLiteral(node), postfixLevel];
    case "name":
      return [node.name, postfixLevel];
    case "member":
      return [`${printTarget(node.target)}.${printField(node.field)}`, postfixLevel];
    case "index":
      return [`${printTarget(node.target)}[${print(node.index, conditionalLevel)}]`, postfixLevel];
    case "call": {
      const args = node.args.map((one) => print(one, conditionalLevel)).join(", ");
      return [`${node.target ? `${printTarget(node.target)}.` : ""}${node.name}(${args})`, postfixLevel];
    }
    case "list":
      return [`[${node.items.map((one) => print(one, conditionalLevel)).join(", ")}]`, postfixLevel];
    case "map":
      return [`{${node.entries.map(printEntry).join(", ")}}`, postfixLevel];
    case "unary":
      return [`${node.operator}${print(node.operand, unaryLevel)}`, unaryLevel];
    case "binary": {
      const own = precedence[node.operator];
      // Comparisons of comparisons are not read alike by all: parentheses make them so.
      const left = own === comparison ? own + 1 : own;
      return [`${print(node.left, left)} ${node.operator} ${print(node.right, own + 1)}`, own];
    }
    case "conditional":
      return [
        `${print(node.condition, 1)} ? ${print(node.yes, conditionalLevel)} : ${print(node.no, conditionalLevel)}`,
        conditionalLevel,
      ];
    default:
      return unknownNode(node);
  }
}

/** Callers without types may hand over anything. */
function unknownNode(node: never): never {
  throw new TypeError(`printExpression takes a node of an expression, not ${describeValue(node)}`);
}

const printEntry = ({ key, value }: { key: ExpressionNode; value: ExpressionNode }): string =>
  `${print(key, conditionalLevel)}: ${print(value, conditionalLevel)}`;

/** `1.field` would read as a number that goes on, so numbers get parentheses. */
function printTarget(node: ExpressionNode): string {
  const text = print(node, postfixLevel);
  return /^\d/.test(text) ? `(${text})` : text;
}

/** Names that are none of the language stand in backticks. */
const printField = (field: string): string =>
  /^(?!(?:in|true|false|null)$)[A-Za-z_]\w*$/.test(field) ? field : `\`${field}\``;

function printLiteral({ type, value }: LiteralNode): string {
  switch (type) {
    case "double": {
      const text = String(value);
      return /^\d+$/.test(text) ? `${text}.0` : text;
    }
    case "uint":
      return `${value}u`;
    case "string":
      return `'${escapeText(String(value))}'`;
    case "bytes":
      return value instanceof Uint8Array ? `b'${Array.from(value, escapeByte).join("")}'` : "b''";
    default:
      return String(value);
  }
}

const named: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
  "'": "\\'",
};

function escapeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be escaped
  return text.replace(/[\u0000-\u001f\u007f\\']/g, (char) => named[char] ?? escapeByte(char.charCodeAt(0)));
}

const escapeByte = (byte: number): string => `\\x${byte.toString(16).padStart(2, "0")}`;
