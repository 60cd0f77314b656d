import { type ASTNode, ParseError } from "@marcbachmann/cel-js";
import { childrenOf } from "./cel-node.js";

/** Operands of one operator of logic that may nest as they were read: each on the left of the next. */
const mostNested = 250;

/** The operators of which the back end reads so many in a row, whatever stands between them; of `&&` and `||` it reads any number. */
const bounded: readonly (readonly [operators: ReadonlySet<string>, operands: number])[] = [
  [new Set(["+", "-", "*", "/", "%"]), 250],
  [new Set(["==", "!=", "<", "<=", ">", ">=", "in"]), 251],
];

/**
 * Makes long chains of `&&` and `||` as shallow as the back end has them, so that what walks the nodes never runs out of stack:
 * each half of a chain becomes one operand. Shorter ones stay as they are. Chains of other operators that are too long for the
 * back end are refused.
 */
export function balanceChains(root: ASTNode): void {
  const open: ASTNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    refuseLong(node);
    if (node.op !== "&&" && node.op !== "||") {
      for (const child of childrenOf(node)) open.push(child);
      continue;
    }
    const { joints, operands } = chainOf(node, node.op);
    if (operands.length > mostNested) balance(joints, operands);
    for (const operand of operands) open.push(operand);
  }
}

function refuseLong(whole: ASTNode): void {
  const [operators, most] = bounded.find(([set]) => set.has(whole.op)) ?? [];
  if (operators === undefined || most === undefined) return;
  let node = whole;
  for (let operands = 1; operators.has(node.op); operands++) {
    if (operands === most) {
      const message = `more than ${most} operands in a row`;
      throw new ParseError({ code: "limit_exceeded", message, node: whole });
    }
    node = childrenOf(node)[0] ?? whole;
  }
}

interface Chain {
  /** The operators from left to right, the whole chain last. */
  readonly joints: readonly ASTNode[];
  /** What they stand between: one more. */
  readonly operands: readonly ASTNode[];
}

function chainOf(whole: ASTNode, operator: "&&" | "||"): Chain {
  const joints: ASTNode[] = [];
  const operands: ASTNode[] = [];
  let node = whole;
  while (node.op === operator) {
    const [left, right]: readonly [ASTNode, ASTNode] = node.args;
    joints.push(node);
    operands.push(right);
    node = left;
  }
  operands.push(node);
  return { joints: joints.reverse(), operands: operands.reverse() };
}

/** Hangs the operands below their operators anew; the last operator stays above all others. */
function balance(joints: readonly ASTNode[], operands: readonly ASTNode[]): void {
  // The whole chain is known by its last operator, which so takes the place in the middle.
  let next = 0;
  const build = (from: number, to: number, top?: ASTNode): ASTNode => {
    // The bounds are those of the list.
    if (to - from === 1) return operands[from] as ASTNode;
    const middle = (from + to) >> 1;
    const node = top ?? (joints[next++] as ASTNode);
    const [left, right] = [build(from, middle), build(middle, to)];
    Reflect.set(node, "args", [left, right]);
    Reflect.set(node, "start", left.start);
    Reflect.set(node, "end", right.end);
    return node;
  };
  build(0, operands.length, joints.at(-1));
}
