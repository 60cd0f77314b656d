import type { ClauseIndex, Relation } from "./clause-index.js";
import { EqualityIndex } from "./equality-index.js";
import { compareInstants, parseInstant } from "./instant.js";
import type { Order } from "./limits.js";
import { OrderIndex } from "./order-index.js";
import { compilePattern, type Pattern, patternFault } from "./pattern/pattern.js";
import { compareVersions, parseVersion, type Version } from "./version.js";

/** How clauses with an operator are answered: all of an attribute together, or by testing for one value after the other. */
export type Operator = (
  | { readonly type: "index"; readonly comparison: Comparison; readonly relation: Relation }
  | { readonly type: "test"; readonly createTest: (value: string) => TextTest }
) & {
  /** Why a value of a clause matches nothing, whatever it is compared with: `is no date`. */
  readonly valueFault: (value: unknown) => string | undefined;
};

/** A way to compare. Clauses that compare one attribute in the same way have one index. */
export interface Comparison {
  readonly createIndex: () => ClauseIndex;
}

/** A test for one value of clauses. */
export interface TextTest {
  readonly matches: (text: string) => boolean;
  /** What each character of a text adds to a comparison, which itself counts as one. */
  readonly perCharacter: () => number;
}

/** How many parsed versions, and likewise times, are kept. */
const MAX_REMEMBERED = 1024;
const MAX_REMEMBERED_LENGTH = 64;

const version = remembering((value) => (typeof value === "string" ? parseVersion(value) : undefined));
const instant = remembering(parseInstant);
const number = (value: unknown) => (typeof value === "number" ? value : undefined);

const demand = (is: (value: unknown) => boolean, fault: string) => (value: unknown) =>
  is(value) ? undefined : fault;
const ofPrimitives = demand((value) => primitive(value) !== undefined, "equals nothing");
const ofText = demand((value) => typeof value === "string", "is no text");
const ofNumbers = demand((value) => number(value) !== undefined, "is no number");
const ofInstants = demand(
  (value) => instant(value) !== undefined,
  "is neither milliseconds since 1970 nor a time like 2027-01-31T18:00:00Z",
);
const ofVersions = demand((value) => version(value) !== undefined, "is no version like 2.1.0");

const equality: Comparison = { createIndex: () => new EqualityIndex(primitive) };
const equalityOfVersions: Comparison = { createIndex: () => new EqualityIndex(versionKey) };
const orderOfNumbers = ordering({ parse: number, compare: (a, b) => a - b });
const orderOfInstants = ordering({ parse: instant, compare: compareInstants });
const orderOfVersions = ordering({ parse: version, compare: compareVersions });

const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["in", comparing(equality, "=", ofPrimitives)],
  ["startsWith", ofTexts(0, (text, value) => text.startsWith(value))],
  ["endsWith", ofTexts(0, (text, value) => text.endsWith(value))],
  ["contains", ofTexts(1 / 16, (text, value) => text.includes(value))],
  ["matches", { type: "test", createTest: matchesPattern, valueFault: ofPatterns }],
  ["lessThan", comparing(orderOfNumbers, "<", ofNumbers)],
  ["lessThanOrEqual", comparing(orderOfNumbers, "<=", ofNumbers)],
  ["greaterThan", comparing(orderOfNumbers, ">", ofNumbers)],
  ["greaterThanOrEqual", comparing(orderOfNumbers, ">=", ofNumbers)],
  ["before", comparing(orderOfInstants, "<", ofInstants)],
  ["after", comparing(orderOfInstants, ">", ofInstants)],
  ["semVerEqual", comparing(equalityOfVersions, "=", ofVersions)],
  ["semVerLessThan", comparing(orderOfVersions, "<", ofVersions)],
  ["semVerGreaterThan", comparing(orderOfVersions, ">", ofVersions)],
]);

/** The names of the operators. */
export const operatorNames: readonly string[] = [...operators.keys()];

/** The operator of that name; undefined if it is not known, and so matches nothing. */
export function operatorOf(name: string): Operator | undefined {
  return operators.get(name);
}

/** A Map compares primitives as JSON does, without coercion. Objects equal nothing. */
function primitive(value: unknown): unknown {
  return typeof value === "object" ? undefined : value;
}

/** Parsed versions are remembered, so that equal texts have the same one; of equal versions the key is the same. */
function versionKey(value: unknown): unknown {
  const parsed = version(value);
  return parsed && keyOfVersion(parsed);
}

function keyOfVersion({ core, prerelease }: Version): string {
  return `${core.join(".")}-${prerelease.join(".")}`;
}

function ofTexts(perCharacter: number, matches: (text: string, value: string) => boolean): Operator {
  const createTest = (value: string): TextTest => ({
    matches: (text) => matches(text, value),
    perCharacter: () => perCharacter,
  });
  return { type: "test", createTest, valueFault: ofText };
}

function ordering<T>(order: Order<T>): Comparison {
  return { createIndex: () => new OrderIndex(order) };
}

function comparing(comparison: Comparison, relation: Relation, valueFault: Operator["valueFault"]): Operator {
  return { type: "index", comparison, relation, valueFault };
}

function ofPatterns(value: unknown): string | undefined {
  if (typeof value !== "string") return ofText(value);
  const fault = patternFault(value);
  return fault && `is no regular expression: it ${fault}`;
}

/** A pattern is compiled when it is needed first. What is not a regular expression matches nothing. */
function matchesPattern(source: string): TextTest {
  let compiled: { readonly pattern: Pattern | undefined } | undefined;
  const prepared = () => {
    compiled ??= { pattern: compilePattern(source) };
    return compiled.pattern;
  };
  return {
    matches: (text) => prepared()?.test(text) ?? false,
    // A text that was made for it takes all steps of a pattern at each character; two of them take as long as a comparison.
    perCharacter: () => {
      const pattern = prepared();
      return pattern === undefined ? 0 : Math.max(1, pattern.steps / 2);
    },
  };
}

/** Keeps results for short texts: contexts have the same few versions and times, and many clauses ask about them. */
function remembering<T>(parse: (value: unknown) => T): (value: unknown) => T {
  const known = new Map<string, T>();
  return (value) => {
    if (typeof value !== "string" || value.length > MAX_REMEMBERED_LENGTH) return parse(value);
    const found = known.get(value);
    if (found !== undefined) return found;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const parsed = parse(value);
    known.set(value, parsed);
    return parsed;
  };
}
