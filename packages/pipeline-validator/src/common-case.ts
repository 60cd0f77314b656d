import type { ExpressionNode } from "@wye/pipeline-resolver";
import { inputParameter, type ParameterInput, type PipelineGraph } from "@wye/pipeline-spec";
import type { ConditionUse } from "./expression-uses.js";
import { kindOf } from "./parameter-kind.js";
import { parameterSource } from "./parameter-source.js";
import { quote } from "./quote.js";

type Plain = string | number | boolean;
/** Values of what conditions read, by where they come from. */
type Values = ReadonlyMap<string, Plain>;
type Test = (values: Values) => boolean;
type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** What an input is compared with, and what people call it. */
interface Variable {
  readonly name: string;
  readonly literals: Set<Plain>;
  /** Its values are whole numbers. */
  readonly isInteger: boolean;
}

/** Whether conditions can hold at once: `values` says when, such as `"score" is 0.95`; without it they never do. */
export interface CommonCase {
  readonly values: string | undefined;
}

const maxLeaves = 64;
const maxCases = 2000;
/** References read and cases tried, of all questions of one validation together. */
const maxSteps = 1_000_000;

/** The questions of one validation whether conditions can hold at once. */
export class CommonCases {
  private steps = 0;

  /**
   * Looks for values under which both conditions hold. Undefined when that cannot be told: for anything but comparisons of
   * inputs with constants, joined by `!`, `&&` and `||`, and for more cases than can be tried.
   */
  find(one: ConditionUse, other: ConditionUse): CommonCase | undefined {
    this.steps += one.condition.references.length + other.condition.references.length;
    if (this.steps > maxSteps) return undefined;
    const reader = new ConditionReader();
    const [first, second] = [reader.read(one), reader.read(other)];
    if (first === undefined || second === undefined) return undefined;
    const cases = casesOf(reader.variables);
    if (cases === undefined) return undefined;
    for (const values of cases) {
      if (++this.steps > maxSteps) return undefined;
      if (first(values) && second(values)) return { values: described(reader.variables, values) };
    }
    return { values: undefined };
  }
}

/** One for all questions about a pipeline. */
export const commonCases = (_graph: PipelineGraph): CommonCases => new CommonCases();

function described(variables: ReadonlyMap<string, Variable>, values: Values): string {
  const told = [...variables].map(
    ([source, { name }]) => `${quote(name)} is ${toldValue(values.get(source))}`,
  );
  return told.join(" and ");
}

const toldValue = (value: Plain | undefined): string =>
  typeof value === "string" ? quote(value) : String(value);

/** Every combination of the values that are to be tried; undefined when there are too many. */
function casesOf(variables: ReadonlyMap<string, Variable>): readonly Values[] | undefined {
  let cases: readonly Values[] = [new Map()];
  for (const [source, { literals, isInteger }] of variables) {
    const candidates = candidatesOf([...literals], isInteger);
    if (candidates === undefined || cases.length * candidates.length > maxCases) return undefined;
    cases = cases.flatMap((values) => candidates.map((value) => new Map(values).set(source, value)));
  }
  return cases;
}

/** Enough values to decide every comparison with the literals both ways; undefined when they are of several types. */
function candidatesOf(literals: readonly Plain[], isInteger: boolean): readonly Plain[] | undefined {
  if (literals.every((one) => typeof one === "boolean")) return [true, false];
  if (literals.every((one) => typeof one === "string")) {
    const other = "other".padEnd(Math.max(...literals.map(({ length }) => length + 1)), "_");
    return [...literals, other];
  }
  if (!literals.every((one) => typeof one === "number")) return undefined;
  if (isInteger) return [...new Set(literals.flatMap(wholeNumbersAround))].sort((a, b) => a - b);
  const sorted = [...literals].sort((a, b) => a - b);
  const between = sorted.slice(1).map((one, index) => (one + (sorted[index] ?? one)) / 2);
  return [...sorted, ...between, (sorted[0] ?? 0) - 1, (sorted.at(-1) ?? 0) + 1];
}

const wholeNumbersAround = (value: number): readonly number[] => [
  Math.floor(value) - 1,
  Math.floor(value),
  Math.ceil(value),
  Math.ceil(value) + 1,
];

/** Turns conditions into functions, and collects what they compare. */
class ConditionReader {
  readonly variables = new Map<string, Variable>();
  private leaves = 0;

  read({ task, condition: { root, problems, references } }: ConditionUse): Test | undefined {
    if (root === undefined || problems.length > 0) return undefined;
    const inputs = new Map<string, ParameterInput>();
    for (const { source, name, path, span, presence } of references) {
      const input = name === undefined ? undefined : task.input("parameter", name);
      if (source !== "inputs.parameter_values" || path.length > 0 || presence || input === undefined)
        continue;
      inputs.set(placeOf({ span }), input);
    }
    return this.test(root, (node) => {
      const read = inputs.get(placeOf(node)) ?? (isInt(node) ? inputs.get(placeOf(node.args[0])) : undefined);
      return read !== undefined && (node.kind !== "call" || isInteger(read)) ? read : undefined;
    });
  }

  private test(
    node: ExpressionNode,
    inputAt: (node: ExpressionNode) => ParameterInput | undefined,
  ): Test | undefined {
    if (++this.leaves > maxLeaves) return undefined;
    const input = inputAt(node);
    if (input !== undefined) return this.comparison(input, "==", true);
    if (node.kind === "unary" && node.operator === "!") {
      const inner = this.test(node.operand, inputAt);
      return inner && ((values) => !inner(values));
    }
    if (node.kind !== "binary") return undefined;
    const { operator, left, right } = node;
    if (operator === "&&" || operator === "||") {
      const [one, other] = [this.test(left, inputAt), this.test(right, inputAt)];
      if (one === undefined || other === undefined) return undefined;
      return operator === "&&" ? (v) => one(v) && other(v) : (v) => one(v) || other(v);
    }
    if (!isComparison(operator)) return undefined;
    const [first, second] = [inputAt(left), inputAt(right)];
    if (first !== undefined) return this.comparison(first, operator, literalOf(right));
    return second && this.comparison(second, mirrored[operator], literalOf(left));
  }

  private comparison(
    input: ParameterInput,
    operator: Comparison,
    literal: Plain | undefined,
  ): Test | undefined {
    const source = sourceOf(input);
    if (literal === undefined || source === undefined) return undefined;
    if (typeof literal !== "number" && operator !== "==" && operator !== "!=") return undefined;
    const variable = this.variables.get(source) ?? {
      name: input.name,
      literals: new Set(),
      isInteger: isInteger(input),
    };
    this.variables.set(source, variable);
    variable.literals.add(literal);
    const compare = comparisons[operator];
    return (values) => compare(values.get(source) ?? literal, literal);
  }
}

const placeOf = (node: Pick<ExpressionNode, "span"> | undefined): string =>
  `${node?.span.start}-${node?.span.end}`;

/** `int(…)`, in which compilers wrap every whole number that they compare. */
const isInt = (node: ExpressionNode): node is Extract<ExpressionNode, { kind: "call" }> =>
  node.kind === "call" && node.name === "int";

function isInteger(input: ParameterInput): boolean {
  const declared = input.task.component && inputParameter(input.task.component, input.name);
  return (kindOf(declared) ?? parameterSource(input)?.declaration) === "NUMBER_INTEGER";
}

/** Equal for inputs that have the same value; undefined when that is not known. */
function sourceOf({ source, task, spec }: ParameterInput): string | undefined {
  if (source?.kind !== "input" && source?.kind !== "output") return undefined;
  const names = source.kind === "input" ? [source.name] : [source.producer, source.key];
  return JSON.stringify([task.parent.path, source.kind, ...names, spec.parameterExpressionSelector]);
}

function literalOf(node: ExpressionNode): Plain | undefined {
  if (node.kind === "unary" && node.operator === "-") {
    const value = literalOf(node.operand);
    return typeof value === "number" ? -value : undefined;
  }
  if (node.kind !== "literal") return undefined;
  const { value } = node;
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : undefined;
}

const comparisons: Readonly<Record<Comparison, (a: Plain, b: Plain) => boolean>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};
const mirrored = { "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;
const isComparison = (operator: string): operator is Comparison => Object.hasOwn(comparisons, operator);
