import { type ASTNode, Environment, EvaluationError, ParseError } from "@marcbachmann/cel-js";
import { UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { jsonFromText } from "../json-from-text.js";
import { ownPrefix } from "./cel-function.js";
import { ownFunctions } from "./cel-functions.js";
import { ownHas } from "./cel-source.js";
import { celValue } from "./cel-variables.js";
import { EvaluationMeter } from "./evaluation-meter.js";
import type { ExpressionLanguage } from "./expression-language.js";
import { defaultExpressionLimits, type ExpressionProblemCode } from "./expression-problem.js";
import { hasField } from "./message-fields.js";

/** The engine, set up for a language. */
export interface Environments {
  /** Knows the types of all variables. */
  readonly checking: Environment;
  /** Takes plain JSON for any of them. */
  readonly running: Environment;
  readonly meter: EvaluationMeter;
}

/** Environments take longer to make than expressions to read. */
const usual = new WeakMap<ExpressionLanguage, Environments>();

/** The environments for a language. */
export function environmentsFor(language: ExpressionLanguage, maxDepth: number): Environments {
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

function createEnvironment(maxDepth: number, meter: EvaluationMeter): Environment {
  // The length of an expression bounds how much can stand in it.
  const limits = { maxDepth, maxListElements: Infinity, maxMapEntries: Infinity, maxAstNodes: Infinity };
  const environment = new Environment({ homogeneousAggregateLiterals: false, limits });
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
  for (const [signature, compute] of ownFunctions({
    uint: (value) => new UnsignedInt(value),
    failure,
  })) {
    define(signature, compute);
  }
  // The engine does not know that bytes have an order; how they are compared is no matter of its own.
  for (const operator of ["<", "<=", ">", ">="]) {
    environment.registerOperator(`bytes ${operator} bytes`, () => undefined);
  }
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
  return {
    async: false,
    typeCheck: (checker: Checker, _macro: unknown, context: unknown) => {
      checker.check(argument, context);
      return checker.getType("bool");
    },
    evaluate: (runner: Runner, _macro: unknown, context: unknown) => {
      // The field may be a stand-in until the whole expression has been read.
      const [target, field] = argument.args;
      const value = runner.run(target, context);
      if (Array.isArray(value))
        throw new EvaluationError({ message: "no such overload: has() of a list", node: argument });
      // Other values can have no fields, but the back end lets itself be asked.
      if (typeof value !== "object" || value === null) return false;
      return hasField(value, field);
    },
  };
}
