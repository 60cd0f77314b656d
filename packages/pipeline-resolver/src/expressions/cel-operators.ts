import { type ASTNode, EvaluationError } from "@marcbachmann/cel-js";
import { Duration } from "@marcbachmann/cel-js/evaluator";
import { areEqual, compare, entryAt, isMap } from "./cel-equality.js";
import { staticType } from "./cel-node.js";
import { durationOf, Moment, nanosAt, nanosIn } from "./cel-time.js";
import type { EvaluationMeter } from "./evaluation-meter.js";

// Operators are computed here where the engine would give another value than the back end. What is left to it: sums and products
// of numbers, texts and lists, and to say that an operator does not take its operands.

interface Evaluator {
  run(node: ASTNode, context: unknown): unknown;
}

/** How the engine computes an operator; it has put it at the node when it checked the types. */
interface Checked {
  handle(left: unknown, right: unknown, node: ASTNode, evaluator: Evaluator): unknown;
}

type Fail = (message: string, code?: string) => never;
type Compute = (left: unknown, right: unknown, fail: Fail) => unknown;

const durationType = "google.protobuf.Duration";
const timestampType = "google.protobuf.Timestamp";
const overflow = "integer overflow";
const minInt = -(2n ** 63n);

const inOrder =
  (holds: (difference: number) => boolean): Compute =>
  (left, right) => {
    const difference = compare(left, right);
    if (difference === "NaN") return false;
    return difference === undefined ? undefined : holds(difference);
  };

const divided: Compute = (left, right, fail) =>
  left === minInt && right === -1n ? fail(`${overflow}: ${left} by -1`) : undefined;

/** What an operator gives; undefined where the engine is right. */
const operators: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ["==", areEqual],
  ["!=", (left, right) => !areEqual(left, right)],
  ["<", inOrder((difference) => difference < 0)],
  ["<=", inOrder((difference) => difference <= 0)],
  [">", inOrder((difference) => difference > 0)],
  [">=", inOrder((difference) => difference >= 0)],
  ["in", isIn],
  ["+", added],
  ["-", subtracted],
  ["/", divided],
  ["%", divided],
  ["[]", elementAt],
]);

/** Computes an operator as the back end does. */
export function computeAsBackEnd(node: ASTNode, meter: EvaluationMeter): void {
  if (node.op === "-_") computeNegation(node, node.args);
  if (node.op === "map") computeMap(node, node.args);
  const compute = operators.get(node.op);
  if (compute === undefined || !Array.isArray(node.args)) return;
  const [left, right] = node.args as readonly [ASTNode, ASTNode];
  const fail = failure(node);
  const isSearch = node.op === "in";
  evaluateBy(node, (evaluator, context) => {
    const operands = [evaluator.run(left, context), evaluator.run(right, context)] as const;
    if (isSearch && Array.isArray(operands[1]) && !meter.look(operands[1].length)) fail("too many steps");
    const value = compute(...operands, fail);
    return value === undefined ? checked(node).handle(...operands, node, evaluator) : value;
  });
}

function evaluateBy(node: ASTNode, evaluate: (evaluator: Evaluator, context: unknown) => unknown): void {
  Reflect.set(node, "evaluate", (evaluator: Evaluator, _node: ASTNode, context: unknown) =>
    evaluate(evaluator, context),
  );
}

// The engine checks types before it evaluates.
const checked = (node: ASTNode): Checked => node as unknown as Checked;

const failure =
  (node: ASTNode): Fail =>
  (message, code) => {
    throw new EvaluationError({ message, node, ...(code === undefined ? {} : { code }) });
  };

function computeNegation(node: ASTNode, operand: ASTNode): void {
  evaluateBy(node, (evaluator, context) => {
    const value = evaluator.run(operand, context);
    if (value === minInt) failure(node)(`${overflow}: -(${value})`);
    return Reflect.apply(Reflect.get(node, "handle"), node, [value, node, evaluator]);
  });
}

/** The engine takes a duration and a point in time together for a duration. */
export function checkSum(node: ASTNode, left: ASTNode, right: ASTNode): void {
  const check: unknown = Reflect.get(node, "check");
  if (typeof check !== "function") return;
  Reflect.set(node, "check", (checker: { getType(name: string): unknown }, ...rest: readonly unknown[]) => {
    const type: unknown = Reflect.apply(check, node, [checker, ...rest]);
    const isLater = staticType(left)?.name === durationType && staticType(right)?.name === timestampType;
    return isLater ? checker.getType(timestampType) : type;
  });
}

/** A map keeps its keys, whatever their kind. */
function computeMap(node: ASTNode, entries: readonly (readonly [ASTNode, ASTNode])[]): void {
  evaluateBy(node, (evaluator, context) => {
    const map = new Map<unknown, unknown>();
    for (const [keyNode, value] of entries) {
      const key = evaluator.run(keyNode, context);
      map.set(key, evaluator.run(value, context));
    }
    return map;
  });
}

function isIn(value: unknown, container: unknown): boolean | undefined {
  if (Array.isArray(container)) return container.some((one) => areEqual(value, one));
  return isMap(container) ? entryAt(container, value) !== undefined : undefined;
}

function elementAt(container: unknown, key: unknown, fail: Fail): unknown {
  if (Array.isArray(container)) {
    const place: unknown = typeof key === "object" && key !== null ? key.valueOf() : key;
    return typeof place === "bigint" ? container[Number(place)] : undefined;
  }
  if (!isMap(container)) return undefined;
  const value = entryAt(container, key);
  return value === undefined ? fail(`no such key: ${String(key)}`, "no_such_key") : value;
}

function added(left: unknown, right: unknown, fail: Fail): unknown {
  if (left instanceof Duration && right instanceof Duration) {
    return durationOf(nanosIn(left) + nanosIn(right)) ?? fail(overflow);
  }
  if (left instanceof Date && right instanceof Duration) return later(left, nanosIn(right), fail);
  if (left instanceof Duration && right instanceof Date) return later(right, nanosIn(left), fail);
  return undefined;
}

function subtracted(left: unknown, right: unknown, fail: Fail): unknown {
  if (left instanceof Duration && right instanceof Duration) {
    return durationOf(nanosIn(left) - nanosIn(right)) ?? fail(overflow);
  }
  if (left instanceof Date && right instanceof Date) {
    return durationOf(nanosAt(left) - nanosAt(right)) ?? fail(overflow);
  }
  return left instanceof Date && right instanceof Duration ? later(left, -nanosIn(right), fail) : undefined;
}

const later = (moment: Date, nanos: bigint, fail: Fail): Moment =>
  Moment.at(nanosAt(moment) + nanos) ?? fail("timestamp overflow");
