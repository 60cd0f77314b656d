import { compareInstants, parseInstant } from "./instant.js";
import { compilePattern, type Pattern } from "./pattern/pattern.js";
import { compareVersions, parseVersion } from "./version.js";

/** A clause's operator, made ready for the values that it compares with. */
export interface Operator {
  /** Whether a value matches any of them. */
  readonly test: (value: unknown) => boolean;
  /** How many comparisons that takes at most. */
  readonly width: number;
  /** What each character of a text adds to a comparison, which itself counts as one. */
  readonly perCharacter: () => number;
}

type Prepare = (values: readonly unknown[]) => Operator;

/** Prepares an operator for its values. One that is not known matches nothing. */
export function prepareOperator(op: string, values: readonly unknown[]): Operator {
  return operators.get(op)?.(values) ?? never;
}

/** How many parsed versions, and likewise times, are kept. */
const MAX_REMEMBERED = 1024;
const MAX_REMEMBERED_LENGTH = 64;

const never: Operator = { test: () => false, width: 1, perCharacter: () => 0 };

const version = remembering((value) => (typeof value === "string" ? parseVersion(value) : undefined));
const instant = remembering(parseInstant);

const operators: ReadonlyMap<string, Prepare> = new Map([
  ["in", isIn],
  ["startsWith", ofStrings(0, (text, value) => text.startsWith(value))],
  ["endsWith", ofStrings(0, (text, value) => text.endsWith(value))],
  ["contains", ofStrings(1 / 16, (text, value) => text.includes(value))],
  ["matches", matches],
  ["lessThan", ofNumbers(Math.max, (value, limit) => value < limit)],
  ["lessThanOrEqual", ofNumbers(Math.max, (value, limit) => value <= limit)],
  ["greaterThan", ofNumbers(Math.min, (value, limit) => value > limit)],
  ["greaterThanOrEqual", ofNumbers(Math.min, (value, limit) => value >= limit)],
  ["before", ordered(0, instant, compareInstants, "greatest", (order) => order < 0)],
  ["after", ordered(0, instant, compareInstants, "least", (order) => order > 0)],
  ["semVerEqual", sameVersion],
  ["semVerLessThan", ordered(1, version, compareVersions, "greatest", (order) => order < 0)],
  ["semVerGreaterThan", ordered(1, version, compareVersions, "least", (order) => order > 0)],
]);

/** Equality of primitives; a Set compares them as JSON does, without coercion. Objects are never in it. */
function isIn(values: readonly unknown[]): Operator {
  const primitives = new Set(values.filter((value) => typeof value !== "object"));
  const [only] = primitives;
  return {
    test: primitives.size === 1 ? (value) => value === only : (value) => primitives.has(value),
    width: 1,
    perCharacter: () => 0,
  };
}

function ofStrings(characters: number, matches: (text: string, value: string) => boolean): Prepare {
  return (values) => {
    const texts = values.filter((value) => typeof value === "string");
    const test = (value: unknown): boolean => {
      if (typeof value !== "string") return false;
      for (const text of texts) if (matches(value, text)) return true;
      return false;
    };
    return { test, width: texts.length, perCharacter: () => characters };
  };
}

/** Any of the values can only be passed where the outermost one is. */
function ofNumbers(
  outermost: (a: number, b: number) => number,
  passes: (value: number, limit: number) => boolean,
): Prepare {
  return (values) => {
    const numbers = values.filter((value) => typeof value === "number");
    if (numbers.length === 0) return never;
    const limit = numbers.reduce((a, b) => outermost(a, b));
    return {
      test: (value) => typeof value === "number" && passes(value, limit),
      width: 1,
      perCharacter: () => 0,
    };
  };
}

/** Patterns are compiled when they are needed first. One that is not a regular expression matches nothing. */
function matches(values: readonly unknown[]): Operator {
  const sources = values.filter((value) => typeof value === "string");
  let compiled: CompiledPatterns | undefined;
  const prepared = () => {
    compiled ??= compilePatterns(sources);
    return compiled;
  };
  return {
    test: (value) => typeof value === "string" && prepared().patterns.some((pattern) => pattern.test(value)),
    width: sources.length,
    perCharacter: () => prepared().perCharacter,
  };
}

interface CompiledPatterns {
  readonly patterns: readonly Pattern[];
  readonly perCharacter: number;
}

function compilePatterns(sources: readonly string[]): CompiledPatterns {
  const patterns = sources.map(compilePattern).filter((pattern) => pattern !== undefined);
  // A text that was made for it takes all steps of a pattern at each character; two of them take as long as a comparison.
  const work = patterns.reduce((sum, { steps }) => sum + Math.max(1, steps / 2), 0);
  return { patterns, perCharacter: work / sources.length };
}

function sameVersion(values: readonly unknown[]): Operator {
  const versions = values.map(version).filter((parsed) => parsed !== undefined);
  return {
    test: (value) => {
      const parsed = version(value);
      return parsed !== undefined && versions.some((other) => compareVersions(parsed, other) === 0);
    },
    width: versions.length,
    perCharacter: () => 1,
  };
}

/** The same for what is ordered in another way. */
function ordered<T>(
  characters: number,
  parse: (value: unknown) => T | undefined,
  compare: (a: T, b: T) => number,
  outermost: "greatest" | "least",
  accepts: (order: number) => boolean,
): Prepare {
  const sign = outermost === "greatest" ? 1 : -1;
  return (values) => {
    let limit: T | undefined;
    for (const value of values) {
      const parsed = parse(value);
      if (parsed === undefined) continue;
      if (limit === undefined || compare(parsed, limit) * sign > 0) limit = parsed;
    }
    if (limit === undefined) return never;
    const end = limit;
    return {
      test: (value) => {
        const parsed = parse(value);
        return parsed !== undefined && accepts(compare(parsed, end));
      },
      width: 1,
      perCharacter: () => characters,
    };
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
