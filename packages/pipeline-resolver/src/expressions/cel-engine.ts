// The only file that knows the engine. What it does differently from the back end is put right here or in the tables that
// this file hands to it: what it accepts and the back end refuses, what it computes otherwise, what it does without bounds.
import {
  type ASTNode,
  TypeError as CheckError,
  Environment,
  EvaluationError,
  ParseError,
} from "@marcbachmann/cel-js";
import { UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { jsonFromText } from "../json-from-text.js";
import { byteOrders, conversionFunctions, ownPrefix, replacedFunctions } from "./cel-functions.js";
import { celMessage, typeHint } from "./cel-message.js";
import { celValue } from "./cel-variables.js";
import { EvaluationMeter } from "./evaluation-meter.js";
import type { ExpressionLanguage } from "./expression-language.js";
import { type ExpressionNode, type LiteralNode, operandsOf } from "./expression-node.js";
import {
  defaultExpressionLimits,
  type ExpressionLimits,
  type ExpressionProblem,
  type ExpressionProblemCode,
} from "./expression-problem.js";
import { hasField } from "./message-fields.js";

/** An expression that the engine could read. */
export interface CelProgram {
  readonly root: ExpressionNode;
  /** The static type, such as `bool` or `dyn`, or why there is none. */
  check(): string | ExpressionProblem;
  /** The value for these variables: integers are `bigint` or, unsigned, objects around one; doubles are numbers. */
  run(variables: ReadonlyMap<string, unknown>): CelResult;
}

/** What came out of an evaluation, with all that `parseJson` returned on the way. */
export type CelResult =
  | { readonly ok: true; readonly value: unknown; readonly parsed: readonly unknown[] }
  | { readonly ok: false; readonly problem: ExpressionProblem };

type EngineProgram = ReturnType<Environment["parse"]>;

interface Environments {
  /** Knows the types of all variables. */
  readonly checking: Environment;
  /** Takes plain JSON for any of them. */
  readonly running: Environment;
  readonly meter: EvaluationMeter;
}

/** Reads an expression. */
export function parseCel(
  text: string,
  language: ExpressionLanguage,
  limits: ExpressionLimits,
): CelProgram | ExpressionProblem {
  const environments = environmentsFor(language, limits.maxDepth);
  let root: ExpressionNode;
  try {
    root = nodeFromEngine(environments.checking.parse(text).ast, 0);
  } catch (error) {
    return problemFrom(error, "syntax", text);
  }
  const readable = withOwnHas(text, root);
  const prepare = (environment: Environment): EngineProgram => {
    const program = environment.parse(readable);
    adapt(program.ast, environments.meter);
    return program;
  };
  let running: EngineProgram | undefined;
  return {
    root,
    check: () => {
      const { ast, check } = prepare(environments.checking);
      const { valid, type = "dyn", error } = check();
      return valid ? (stricterCheck(ast) ?? type) : problemFrom(error, "type", text);
    },
    run: (variables) => {
      running ??= prepare(environments.running);
      return run(running, variables, environments.meter, limits);
    },
  };
}

/** Tells an expression that could be read from the reason why one could not. */
export const isProgram = (result: CelProgram | ExpressionProblem): result is CelProgram => "root" in result;

function run(
  program: EngineProgram,
  variables: ReadonlyMap<string, unknown>,
  meter: EvaluationMeter,
  limits: ExpressionLimits,
): CelResult {
  meter.start(limits);
  try {
    const value: unknown = program(variables);
    if (!meter.exhausted) return { ok: true, value, parsed: meter.parsed };
  } catch (error) {
    if (!meter.exhausted) return { ok: false, problem: problemFrom(error, "evaluation", program.ast.input) };
  }
  const message = "the evaluation takes more steps than are allowed";
  const { start, end } = program.ast;
  return { ok: false, problem: { code: "budget", severity: "error", message, span: { start, end } } };
}

/** Environments take longer to make than expressions to read. */
const usual = new WeakMap<ExpressionLanguage, Environments>();

function environmentsFor(language: ExpressionLanguage, maxDepth: number): Environments {
  if (maxDepth !== defaultExpressionLimits.maxDepth) return createEnvironments(language, maxDepth);
  const environments = usual.get(language) ?? createEnvironments(language, maxDepth);
  usual.set(language, environments);
  return environments;
}

function createEnvironments({ variables, messages }: ExpressionLanguage, maxDepth: number): Environments {
  const meter = new EvaluationMeter();
  const checking = createEnvironment(maxDepth, meter);
  const running = createEnvironment(maxDepth, meter);
  for (const [name, fields] of Object.entries(messages))
    checking.registerType(name, { fields: { ...fields } });
  for (const [name, type] of Object.entries(variables)) {
    checking.registerVariable(name, type);
    running.registerVariable(name, "dyn");
  }
  return { checking, running, meter };
}

/** As long as `has`, so that one in the place of the other moves nothing in the text. */
const ownHas = "hAs";

function createEnvironment(maxDepth: number, meter: EvaluationMeter): Environment {
  const environment = new Environment({ homogeneousAggregateLiterals: false, limits: { maxDepth } });
  const define = (signature: string, compute: (...values: never[]) => unknown): void => {
    environment.registerFunction(signature, compute, { async: false });
  };
  const failure = (code: ExpressionProblemCode, message: string): Error =>
    new EvaluationError({ code, message });
  const matches = (text: string, pattern: string): boolean => {
    const result = meter.matches(text, pattern);
    if (typeof result === "string") throw failure("invalid-pattern", result);
    return result;
  };
  define(`string.${ownPrefix}matches(string): bool`, matches);
  define(`${ownPrefix}matches(string, string): bool`, matches);
  define("parseJson(string): dyn", (text: string) => {
    const json = jsonFromText(text);
    if (!json.ok) throw failure("invalid-json", `failed to unmarshal JSON: ${json.reason}`);
    const value = celValue(json.value);
    meter.parsed.push(value);
    return value;
  });
  define(`${ownHas}(ast): bool`, hasMacro);
  for (const [signature, compute] of conversionFunctions({
    uint: (value) => new UnsignedInt(value),
    failure,
  })) {
    define(signature, compute);
  }
  for (const [operator, holds] of byteOrders) environment.registerOperator(`bytes ${operator} bytes`, holds);
  return environment;
}

interface Checker {
  check(node: ASTNode, context: unknown): unknown;
  getType(name: string): unknown;
}

interface Runner {
  run(node: ASTNode, context: unknown): unknown;
}

/**
 * `has(target.field)`: the engine's own one takes only names joined by dots, and cannot know of unset fields. Others than
 * fields are refused before.
 */
function hasMacro({ args: [argument] }: { readonly args: readonly [ASTNode] }): object {
  if (argument.op !== ".") throw new ParseError({ message: "has() takes a field", node: argument });
  const [target, field] = argument.args;
  return {
    async: false,
    typeCheck: (checker: Checker, _macro: unknown, context: unknown) => {
      checker.check(argument, context);
      return checker.getType("bool");
    },
    evaluate: (runner: Runner, _macro: unknown, context: unknown) => {
      const value = runner.run(target, context);
      if (Array.isArray(value))
        throw new EvaluationError({ message: "no such overload: has() of a list", node: argument });
      // Other values can have no fields, but the back end lets itself be asked.
      if (typeof value !== "object" || value === null) return false;
      return hasField(value, field);
    },
  };
}

/** The text with our name for `has`. */
function withOwnHas(text: string, root: ExpressionNode): string {
  let result = text;
  const replace = (node: ExpressionNode): void => {
    if (node.kind === "call" && node.name === "has" && !node.target) {
      const { start } = node.span;
      result = result.slice(0, start) + ownHas + result.slice(start + ownHas.length);
    }
    for (const operand of operandsOf(node)) replace(operand);
  };
  if (text.includes("has")) replace(root);
  return result;
}

/** What a loop that was stopped answers, so that it ends at once. The others fail. */
const whenStopped: Readonly<Record<string, boolean>> = { all: false, exists: true };

/** Replaces functions by ours and counts the passes of loops. Macros share the nodes of their arguments, so they change too. */
function adapt(node: ASTNode, meter: EvaluationMeter): void {
  if (node.op === "call" || node.op === "rcall") {
    const [name] = node.args;
    if (replacedFunctions.has(name)) node.args[0] = ownPrefix + name;
  }
  if (node.op === "rcall" && ["all", "exists", "exists_one", "filter", "map"].includes(node.args[0])) {
    const body = node.args[2][1];
    if (body) count(body, meter, whenStopped[node.args[0]]);
  }
  for (const child of childrenOf(node)) adapt(child, meter);
}

/** The engine looks up how to evaluate a node on each pass, and once replaces that by something faster: both go through here. */
function count(node: ASTNode, meter: EvaluationMeter, stopped: boolean | undefined): void {
  let evaluate: (...args: unknown[]) => unknown = Reflect.get(node, "evaluate");
  const counted = (...args: unknown[]): unknown => {
    if (meter.step()) return Reflect.apply(evaluate, node, args);
    if (stopped !== undefined) return stopped;
    throw new EvaluationError({ message: "too many steps", node });
  };
  const set = (faster: typeof evaluate): void => {
    evaluate = faster;
  };
  Object.defineProperty(node, "evaluate", { get: () => counted, set });
}

function childrenOf(node: ASTNode): readonly ASTNode[] {
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

/** What the back end refuses and the engine does not: orders between kinds of numbers, and indexes of another type. */
function stricterCheck(node: ASTNode): ExpressionProblem | undefined {
  if (node.op === "<" || node.op === "<=" || node.op === ">" || node.op === ">=") {
    const [left, right] = node.args.map((operand) => staticType(operand)?.name ?? "");
    if (left !== right && numbers.has(left) && numbers.has(right)) {
      const message = `no such overload: ${left} ${node.op} ${right}`;
      const hint = `bring both sides to one type, for example with ${left === "double" ? left : right}(…)`;
      return { code: "type", severity: "error", message, hint, span: spanOf(node) };
    }
  }
  if (node.op === "[]") {
    const [target, index] = node.args;
    const [of, by] = [staticType(target), staticType(index)];
    const field = of?.kind === "message";
    if (field || (of?.keyType?.name === "string" && by?.name !== "string" && by?.name !== "dyn")) {
      const message = `no such overload: ${of?.name}[${by?.name}]`;
      const hint = field
        ? "a field is read with a point: inputs.parameter_values"
        : "names are texts, in quotes";
      return { code: "type", severity: "error", message, hint, span: spanOf(index) };
    }
  }
  for (const child of childrenOf(node)) {
    const problem = stricterCheck(child);
    if (problem) return problem;
  }
  return undefined;
}

const numbers: ReadonlySet<string | undefined> = new Set(["int", "uint", "double"]);

interface StaticType {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: StaticType;
}

/** The type that the checker of the engine has left at a node. */
const staticType = (node: ASTNode): StaticType | undefined => Reflect.get(node, "checkedType");

/** Chains such as `a && b && …` nest on the left: what walks the tree must not run out of stack. */
const maxChain = 1_000;

function nodeFromEngine(node: ASTNode, depth: number): ExpressionNode {
  if (depth > maxChain) throw new ParseError({ code: "limit_exceeded", message: "nested too deep", node });
  const convert = (child: ASTNode): ExpressionNode => nodeFromEngine(child, depth + 1);
  const span = spanOf(node);
  switch (node.op) {
    case "value":
      return literal(node.args, span);
    case "id":
      return { kind: "name", name: node.args, span };
    case ".":
    case ".?":
      return { kind: "member", target: convert(node.args[0]), field: node.args[1], span };
    case "[]":
    case "[?]":
      return { kind: "index", target: convert(node.args[0]), index: convert(node.args[1]), span };
    case "call":
      return { kind: "call", name: node.args[0], target: undefined, args: node.args[1].map(convert), span };
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

const spanOf = ({ start, end }: ASTNode): LiteralNode["span"] => ({ start, end });

/** What the engine's codes mean; what is not listed is a syntax, type or evaluation problem by where it came from. */
const codes: Readonly<Record<string, ExpressionProblemCode>> = {
  limit_exceeded: "limit",
  unknown_variable: "unknown-name",
  no_such_key: "no-such-key",
  index_out_of_bounds: "no-such-key",
  "invalid-json": "invalid-json",
  "invalid-pattern": "invalid-pattern",
};

/** Turns what the engine throws into a problem. Running out of stack is one too: of an expression that is nested too deep. */
function problemFrom(
  error: unknown,
  stage: "syntax" | "type" | "evaluation",
  text: string,
): ExpressionProblem {
  const whole = { start: 0, end: text.length };
  if (error instanceof ParseError || error instanceof CheckError || error instanceof EvaluationError) {
    let code = codes[error.code] ?? stage;
    let message = celMessage(error.summary);
    if (stage === "type" && code === "no-such-key") code = "unknown-field";
    if (stage === "evaluation" && code === "unknown-name") {
      code = "not-set";
      message = message.replace("unknown variable", "no such attribute");
    }
    const hint = typeHint(message);
    const span = error.range ?? whole;
    return { code, severity: "error", message, span, ...(hint === undefined ? {} : { hint }) };
  }
  const message = error instanceof Error ? celMessage(error.message) : "cannot be evaluated";
  if (/call stack|too much recursion/.test(message)) {
    return { code: "limit", severity: "error", message: "nested too deep", span: whole };
  }
  return { code: stage, severity: "error", message, span: whole };
}
