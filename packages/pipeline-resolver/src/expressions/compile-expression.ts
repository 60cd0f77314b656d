import {
  checkArguments,
  checkOptions,
  describeValue,
  type ExecutorInput,
  type PartialMessage,
} from "@wye/pipeline-spec";
import { kindOf } from "../values/convert-parameter.js";
import { type CelProgram, type CelResult, isProgram, parseCel } from "./cel-engine.js";
import { jsonFromResult } from "./cel-result.js";
import { conditionVariables, selectorVariables } from "./cel-variables.js";
import { type ConditionExplanation, explainCondition } from "./explain-condition.js";
import { checkNames } from "./expression-checks.js";
import { type ExpressionKind, languages } from "./expression-language.js";
import type { ExpressionNode } from "./expression-node.js";
import {
  defaultExpressionLimits,
  type ExpressionLimits,
  type ExpressionProblem,
} from "./expression-problem.js";
import { type ExpressionReference, referencesOf } from "./expression-reference.js";
import { syntaxHint } from "./syntax-hint.js";

/** What came out of an evaluation. */
export type Evaluation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: ExpressionProblem };

interface CompiledExpression {
  /** The text as it was given. */
  readonly text: string;
  /** The parts of the expression; undefined when it cannot be read. */
  readonly root: ExpressionNode | undefined;
  /** All that is wrong with it before it ever runs. With an error among them it always fails. */
  readonly problems: readonly ExpressionProblem[];
  /** What it reads; empty when it cannot be read. */
  readonly references: readonly ExpressionReference[];
}

/** A trigger condition, compiled. */
export interface Condition extends CompiledExpression {
  readonly kind: "condition";
  /** Is it met? Pure: the same input always gives the same answer. */
  evaluate(input: PartialMessage<ExecutorInput>): Evaluation<boolean>;
  /** Tells people which operands made it true or false. */
  explain(input: PartialMessage<ExecutorInput>): ConditionExplanation;
}

/** A parameter selector, compiled. */
export interface Selector extends CompiledExpression {
  readonly kind: "selector";
  /** What it picks out of a parameter value. Pure. */
  evaluate(value: unknown): Evaluation<unknown>;
}

/** Settings of `compileExpression`. */
export interface CompileExpressionOptions {
  readonly limits?: Partial<ExpressionLimits>;
}

const knownLimits = {
  maxLength: "limit",
  maxDepth: "limit",
  maxPatternLength: "limit",
  maxSteps: "limit",
} as const;

/**
 * Reads, checks and prepares an expression of a pipeline: a trigger condition (`triggerPolicy.condition`) or a selector
 * (`parameterExpressionSelector`). Never throws for what the text says: all that is wrong is in `problems`.
 */
export function compileExpression(
  text: string,
  kind: "condition",
  options?: CompileExpressionOptions,
): Condition;
export function compileExpression(
  text: string,
  kind: "selector",
  options?: CompileExpressionOptions,
): Selector;
export function compileExpression(
  text: string,
  kind: ExpressionKind,
  options?: CompileExpressionOptions,
): Condition | Selector;
export function compileExpression(
  text: string,
  kind: ExpressionKind,
  options: CompileExpressionOptions = {},
): Condition | Selector {
  if (typeof text !== "string") throw new TypeError("compileExpression takes the text of an expression");
  if (!Object.hasOwn(languages, kind)) {
    throw new TypeError(`compileExpression takes a "condition" or a "selector", not ${describeValue(kind)}`);
  }
  checkOptions("compileExpression", options, { limits: "any" });
  const limits = limitsOf(options.limits ?? {});
  const { program, problems } = compile(text, kind, limits);
  const error = problems.find(({ severity }) => severity === "error");
  const references = program ? referencesOf(program.root, kind) : [];
  const run = (variables: () => ReadonlyMap<string, unknown>): CelResult => {
    if (error || !program) return { ok: false, problem: error ?? notReadable(text) };
    return program.run(variables);
  };
  const compiled = { text, root: program?.root, problems, references };
  if (kind === "selector") {
    return { ...compiled, kind, evaluate: (value) => select(text, value, references, run) };
  }
  const evaluate = (input: PartialMessage<ExecutorInput>): Evaluation<boolean> => {
    checkArguments("evaluate", "object", { input });
    checkSpelling(input);
    return booleanFrom(
      run(() => conditionVariables(input, references)),
      text,
    );
  };
  return {
    ...compiled,
    kind,
    evaluate,
    explain: (input) => {
      const part = (node: ExpressionNode, source: string): Evaluation<unknown> => {
        const own = parseCel(source, languages[kind], limits);
        return isProgram(own)
          ? own.run(() => conditionVariables(input, referencesOf(node, kind)))
          : { ok: false, problem: own };
      };
      return explainCondition(error ? undefined : compiled.root, evaluate(input), part);
    },
  };
}

/** Conditions spell names as the proto file does, and messages do not: without a word nothing would have a value. */
function checkSpelling({ inputs, outputs }: PartialMessage<ExecutorInput>): void {
  for (const [message, snake, camel] of [
    [inputs, "parameter_values", "parameterValues"],
    [outputs, "output_file", "outputFile"],
  ] as const) {
    if (message === undefined || message === null || !Object.hasOwn(message, snake)) continue;
    const remedy = "`readJson` makes the message of JSON in either spelling";
    throw new TypeError(`evaluate takes a message ExecutorInput, with ${camel}, not ${snake}: ${remedy}`);
  }
}

/** The limits that are asked for, or else the usual ones. */
function limitsOf(some: Partial<ExpressionLimits>): ExpressionLimits {
  checkOptions("limits of compileExpression", some, knownLimits);
  const {
    maxLength = defaultExpressionLimits.maxLength,
    maxDepth = defaultExpressionLimits.maxDepth,
    maxPatternLength = defaultExpressionLimits.maxPatternLength,
    maxSteps = defaultExpressionLimits.maxSteps,
  } = some;
  return { maxLength, maxDepth, maxPatternLength, maxSteps };
}

function compile(
  text: string,
  kind: ExpressionKind,
  limits: ExpressionLimits,
): { readonly program?: CelProgram; readonly problems: readonly ExpressionProblem[] } {
  if (text.length > limits.maxLength) {
    const message = `the expression is ${text.length} characters long, at most ${limits.maxLength} are allowed`;
    return {
      problems: [{ code: "limit", severity: "error", message, span: { start: 0, end: text.length } }],
    };
  }
  if (text.trim() === "") return { problems: [notReadable(text)] };
  const program = parseCel(text, languages[kind], limits);
  if (!isProgram(program)) {
    const hint = program.code === "syntax" ? syntaxHint(text) : undefined;
    return { problems: [{ ...program, ...(hint === undefined ? {} : { hint }) }] };
  }
  const problems = checkNames(text, program.root, languages[kind], limits);
  if (problems.length > 0) return { program, problems };
  const type = program.check();
  if (typeof type !== "string") return { program, problems: [type] };
  if (kind === "selector" || type === "bool" || type === "dyn") return { program, problems: [] };
  return { program, problems: [notBoolean(type, text)] };
}

const notReadable = (text: string): ExpressionProblem => ({
  code: "syntax",
  severity: "error",
  message: "the expression is empty",
  span: { start: 0, end: text.length },
});

const notBoolean = (type: string, text: string): ExpressionProblem => ({
  code: "not-boolean",
  severity: "error",
  message: `a condition is true or false, this one is of type ${type}`,
  hint: "compare it with something",
  span: { start: 0, end: text.length },
});

function booleanFrom(result: CelResult, text: string): Evaluation<boolean> {
  if (!result.ok) return result;
  const { value } = result;
  if (typeof value === "boolean") return { ok: true, value };
  return { ok: false, problem: notBoolean(typeName(value), text) };
}

function select(
  text: string,
  value: unknown,
  references: readonly ExpressionReference[],
  run: (variables: () => ReadonlyMap<string, unknown>) => CelResult,
): Evaluation<unknown> {
  let variables: ReadonlyMap<string, unknown> = new Map();
  const result = run(() => {
    variables = selectorVariables(value, references);
    return variables;
  });
  if (!result.ok) {
    const { problem } = result;
    if (problem.code !== "not-set") return result;
    return { ok: false, problem: { ...problem, hint: `the value is of type ${typeName(value)}` } };
  }
  const json = jsonFromResult(result.value, [...variables.values(), ...result.parsed]);
  if (json.ok) return json;
  const span = { start: 0, end: text.length };
  return {
    ok: false,
    problem: { code: "unsupported-result", severity: "error", message: json.reason, span },
  };
}

/** Only values that an expression has made itself are no JSON: whole numbers among them. */
const typeName = (value: unknown): string => (typeof value === "bigint" ? "int" : kindOf(value));
