import { buildAutomaton } from "./automaton.js";
import { MAX_WORK, Matcher } from "./matcher.js";
import { parsePattern } from "./parse-pattern.js";
import { plainTextTest, requiredText } from "./plain-text.js";
import { type Node, PatternSyntaxError } from "./syntax-tree.js";

/** A regular expression of a flag. */
export interface Pattern {
  /** Whether it matches anywhere in a text. Takes time in proportion to the length of the text, whatever the pattern. */
  test(text: string): boolean;
  /** How many steps one character takes at most. */
  readonly steps: number;
}

const MAX_LENGTH = 10_000;

/**
 * Compiles a regular expression in the syntax of RE2, as the reference evaluator understands it; undefined if it is none.
 * The engine's own expressions would be another dialect, and can take exponential time.
 */
export function compilePattern(source: string): Pattern | undefined {
  const compiled = patternOrFault(source);
  return typeof compiled === "string" ? undefined : compiled;
}

/** Why a text is no regular expression; undefined if it is one. */
export function patternFault(source: string): string | undefined {
  const compiled = patternOrFault(source);
  return typeof compiled === "string" ? compiled : undefined;
}

function patternOrFault(source: string): Pattern | string {
  if (source.length > MAX_LENGTH) return `has more than ${MAX_LENGTH} characters`;
  try {
    return quickened(parsePattern(source));
  } catch (error) {
    if (error instanceof PatternSyntaxError) return error.message;
    throw error;
  }
}

/** Most patterns of flags are, or contain, plain text: the engine finds it far quicker than any automaton. */
function quickened(tree: Node): Pattern {
  const automaton = buildAutomaton(tree);
  const steps = automaton.steps.length;
  const isPlain = plainTextTest(tree);
  if (isPlain !== undefined)
    return { steps, test: (text) => text.length * steps <= MAX_WORK && isPlain(text) };
  const matcher = new Matcher(automaton);
  const required = requiredText(tree);
  return required === "" ? matcher : { steps, test: (text) => text.includes(required) && matcher.test(text) };
}
