import { type ASTNode, ParseError } from "@marcbachmann/cel-js";
import { UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import type { ExpressionNode, LiteralNode } from "./expression-node.js";

/** Chains such as `a && b && …` nest on the left: what walks the tree must not run out of stack. */
const maxChain = 1_000;

/** Our form of a node of the engine, with all below it. @param has  where calls of `has` begin */
export function nodeFromEngine(node: ASTNode, has: ReadonlySet<number>, depth = 0): ExpressionNode {
  if (depth > maxChain) throw new ParseError({ code: "limit_exceeded", message: "nested too deep", node });
  const convert = (child: ASTNode): ExpressionNode => nodeFromEngine(child, has, depth + 1);
  const span = spanOf(node);
  switch (node.op) {
    case "value":
      return literal(node.args, span);
    case "id":
      return { kind: "name", name: node.args, span };
    case ".":
    case ".?":
      return {
        kind: "member",
        target: convert(node.args[0]),
        field: node.args[1],
        fieldSpan: { start: node.pos, end: node.end },
        span,
      };
    case "[]":
    case "[?]":
      return { kind: "index", target: convert(node.args[0]), index: convert(node.args[1]), span };
    case "call": {
      const name = has.has(node.start) ? "has" : node.args[0];
      return { kind: "call", name, target: undefined, args: node.args[1].map(convert), span };
    }
    case "rcall": {
      const [name, target, args] = node.args;
      return { kind: "call", name, target: convert(target), args: args.map(convert), span };
    }
    case "list":
      return { kind: "list", items: node.args.map(convert), span };
    case "map": {
      const entries = node.args.map(([key, value]) => ({ key: convert(key), value: convert(value) }));
      return { kind: "map", entries, span };
    }
    case "?:": {
      const [condition, yes, no] = node.args;
      return { kind: "conditional", condition: convert(condition), yes: convert(yes), no: convert(no), span };
    }
    case "!_":
    case "-_":
      return { kind: "unary", operator: node.op === "!_" ? "!" : "-", operand: convert(node.args), span };
    default:
      return {
        kind: "binary",
        operator: node.op,
        left: convert(node.args[0]),
        right: convert(node.args[1]),
        span,
      };
  }
}

function literal(value: unknown, span: LiteralNode["span"]): LiteralNode {
  if (value instanceof UnsignedInt) return { kind: "literal", type: "uint", value: value.value, span };
  if (value instanceof Uint8Array) return { kind: "literal", type: "bytes", value, span };
  switch (typeof value) {
    case "bigint":
      return { kind: "literal", type: "int", value, span };
    case "number":
      return { kind: "literal", type: "double", value, span };
    case "string":
      return { kind: "literal", type: "string", value, span };
    case "boolean":
      return { kind: "literal", type: "bool", value, span };
    default:
      return { kind: "literal", type: "null", value: null, span };
  }
}

/** Where a node of the engine stands in the text. */
export const spanOf = ({ start, end }: ASTNode): LiteralNode["span"] => ({ start, end });

/** The nodes of the engine directly below one. */
export function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
      return [];
    case ".":
    case ".?":
      return [node.args[0]];
    case "!_":
    case "-_":
      return [node.args];
    case "call":
      return node.args[1];
    case "rcall":
      return [node.args[1], ...node.args[2]];
    case "map":
      return node.args.flat();
    default:
      return node.args;
  }
}

/** A type of the engine. */
export interface StaticType {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: StaticType;
}

/** The type that the checker of the engine has left at a node. */
export const staticType = (node: ASTNode): StaticType | undefined => Reflect.get(node, "checkedType");
