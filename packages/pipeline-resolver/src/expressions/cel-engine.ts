// The engine is known to the files `cel-*.ts` alone. What it does differently from the back end is put right there: what it
// accepts and the back end refuses, what it computes otherwise, what it does without bounds.
import { type ASTNode, type Environment, EvaluationError } from "@marcbachmann/cel-js";
import { balanceChains } from "./cel-chains.js";
import { environmentsFor } from "./cel-environments.js";
import { ownPrefix } from "./cel-function.js";
import { replacedFunctions } from "./cel-functions.js";
import { childrenOf, nodeFromEngine } from "./cel-node.js";
import { checkSum, computeAsBackEnd } from "./cel-operators.js";
import { problemFrom } from "./cel-problem.js";
import { fillStandIns, readableSource } from "./cel-source.js";
import { stricterCheck } from "./cel-strictness.js";
import type { EvaluationMeter } from "./evaluation-meter.js";
import type { ExpressionLanguage } from "./expression-language.js";
import type { ExpressionNode } from "./expression-node.js";
import type { ExpressionLimits, ExpressionProblem } from "./expression-problem.js";

/** An expression that the engine could read. */
export interface CelProgram {
  readonly root: ExpressionNode;
  /** The static type, such as `bool` or `dyn`, or why there is none. */
  check(): string | ExpressionProblem;
  /** The value for these variables: integers are `bigint` or, unsigned, objects around one; doubles are numbers. */
  run(variables: () => ReadonlyMap<string, unknown>): CelResult;
}

/** What came out of an evaluation, with all that `parseJson` returned on the way. */
export type CelResult =
  | { readonly ok: true; readonly value: unknown; readonly parsed: readonly unknown[] }
  | { readonly ok: false; readonly problem: ExpressionProblem };

type EngineProgram = ReturnType<Environment["parse"]>;

/** Reads an expression. */
export function parseCel(
  text: string,
  language: ExpressionLanguage,
  limits: ExpressionLimits,
): CelProgram | ExpressionProblem {
  const environments = environmentsFor(language, limits.maxDepth);
  const source = readableSource(text);
  const parse = (environment: Environment): EngineProgram => {
    const program = environment.parse(source.text);
    balanceChains(program.ast);
    fillStandIns(program.ast, source);
    return program;
  };
  let checked: EngineProgram;
  let root: ExpressionNode;
  try {
    checked = parse(environments.checking);
    root = nodeFromEngine(checked.ast, source.has);
  } catch (error) {
    return problemFrom(error, "syntax", text);
  }
  checkAsBackEnd(checked.ast);
  let running: EngineProgram | undefined;
  return {
    root,
    check: () => {
      const { valid, type = "dyn", error } = checked.check();
      return valid ? (stricterCheck(checked.ast) ?? type) : problemFrom(error, "type", text);
    },
    run: (variables) => {
      if (running === undefined) {
        running = parse(environments.running);
        checkAsBackEnd(running.ast);
        adapt(running.ast, environments.meter);
        forgetText(running.ast);
      }
      return run(running, variables, { text: source.text, meter: environments.meter, limits });
    },
  };
}

/** Tells an expression that could be read from the reason why one could not. */
export const isProgram = (result: CelProgram | ExpressionProblem): result is CelProgram => "root" in result;

interface Running {
  readonly text: string;
  readonly meter: EvaluationMeter;
  readonly limits: ExpressionLimits;
}

function run(
  program: EngineProgram,
  variables: () => ReadonlyMap<string, unknown>,
  { text, meter, limits }: Running,
): CelResult {
  meter.start(limits);
  try {
    const value: unknown = program(variables());
    if (!meter.exhausted) return { ok: true, value, parsed: meter.parsed };
  } catch (error) {
    if (!meter.exhausted) return { ok: false, problem: problemFrom(error, "evaluation", text) };
  }
  const message = "the evaluation takes more steps than are allowed";
  const { start, end } = program.ast;
  return { ok: false, problem: { code: "budget", severity: "error", message, span: { start, end } } };
}

/** What a loop that was stopped answers, so that it ends at once. The others fail. */
// Stryker disable next-line BooleanLiteral: another answer only takes longer, pass by pass
const whenStopped: Readonly<Record<string, boolean>> = { all: false, exists: true };

/** Replaces functions by ours, and checks sums. Macros share the nodes of their arguments, so they change too. */
function checkAsBackEnd(node: ASTNode): void {
  for (const child of childrenOf(node)) checkAsBackEnd(child);
  if (node.op === "+") checkSum(node, node.args[0], node.args[1]);
  if (node.op === "call" || node.op === "rcall") {
    const [name] = node.args;
    if (replacedFunctions.has(name)) node.args[0] = ownPrefix + name;
  }
}

/** Computes as the back end does and counts the passes of loops, of what is to run. Gives how many nodes there are. */
function adapt(node: ASTNode, meter: EvaluationMeter): number {
  let size = 1;
  let bodySize = 0;
  for (const child of childrenOf(node)) {
    bodySize = adapt(child, meter);
    size += bodySize;
  }
  computeAsBackEnd(node, meter);
  if (node.op === "list" && node.args.length > 0) countElements(node, node.args.length, meter);
  if (node.op === "rcall" && ["all", "exists", "exists_one", "filter", "map"].includes(node.args[0])) {
    const body = node.args[2][1];
    if (body) count(body, { meter, size: bodySize, stopped: whenStopped[node.args[0]] });
  }
  return size;
}

/**
 * Errors of the engine quote the whole text, which is long work where a loop goes through thousands of them: they quote nothing now. Those of
 * functions learn from the text of the call where they are.
 */
function forgetText(node: ASTNode): void {
  const isCall = node.op === "call" || node.op === "rcall";
  Object.defineProperty(node, "input", { value: isCall ? " " : "" });
  for (const child of childrenOf(node)) forgetText(child);
}

interface Body {
  readonly meter: EvaluationMeter;
  /** How many nodes it has. */
  readonly size: number;
  readonly stopped: boolean | undefined;
}

function count(node: ASTNode, { meter, size, stopped }: Body): void {
  wrap(node, (evaluate) => {
    if (meter.step(size)) return evaluate();
    if (stopped !== undefined) return stopped;
    throw new EvaluationError({ message: "too many steps", node });
  });
}

/** A list inside of a loop is made anew in each pass. */
function countElements(list: ASTNode, elements: number, meter: EvaluationMeter): void {
  wrap(list, (evaluate) => {
    if (meter.look(elements)) return evaluate();
    throw new EvaluationError({ message: "too many steps", node: list });
  });
}

/**
 * The engine looks up how to evaluate a node on each pass. The first time it puts something faster there and calls that, still
 * inside of what was there before: both go through here, and that one call is not wrapped twice.
 */
function wrap(node: ASTNode, around: (evaluate: () => unknown) => unknown): void {
  let evaluate: (...args: unknown[]) => unknown = Reflect.get(node, "evaluate");
  let replaced = false;
  const wrapped = (...args: unknown[]): unknown => {
    const inner = (): unknown => Reflect.apply(evaluate, node, args);
    if (!replaced) return around(inner);
    replaced = false;
    return inner();
  };
  const set = (faster: typeof evaluate): void => {
    evaluate = faster;
    replaced = true;
  };
  Object.defineProperty(node, "evaluate", { get: () => wrapped, set, configurable: true });
}
