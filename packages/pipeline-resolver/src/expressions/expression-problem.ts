import type { TextProblem } from "../text-problem.js";

/**
 * What can be wrong with an expression. Found when it is compiled: `syntax` (cannot be read), `limit` (too long or too deep),
 * `unknown-name`, `unknown-function`, `unknown-field`, `type` (no such operator or function for these types), `not-boolean`
 * (a condition gives something else), `invalid-pattern` (of `matches`), `invalid-number` (outside of 64 bits),
 * `unsupported-key` (a map key that the engine cannot hold). Found when it runs: `no-such-key`, `not-set` (a member of the value that another one is
 * set instead of), `invalid-json` (given to `parseJson`), `unsupported-result` (cannot be a parameter), `budget` (took
 * too many steps), `evaluation` (anything else: overflow, division by zero, no overload for the values at hand).
 */
export type ExpressionProblemCode =
  | "syntax"
  | "limit"
  | "unknown-name"
  | "unknown-function"
  | "unknown-field"
  | "type"
  | "not-boolean"
  | "invalid-pattern"
  | "invalid-number"
  | "unsupported-key"
  | "no-such-key"
  | "not-set"
  | "invalid-json"
  | "unsupported-result"
  | "budget"
  | "evaluation";

/** Something that is wrong with an expression, with its place inside the text. */
export type ExpressionProblem = TextProblem<ExpressionProblemCode>;

/** Bounds on what an expression may cost. */
export interface ExpressionLimits {
  /** Longest text in UTF-16 code units; 100,000 by default, as on the back end. */
  readonly maxLength: number;
  /** Deepest nesting of parentheses, calls and indexes; 250 by default, as on the back end. */
  readonly maxDepth: number;
  /** Longest pattern of `matches`; 1,000 by default. */
  readonly maxPatternLength: number;
  /** Passes through the loops of macros in one evaluation, of which a long one counts as several; 1,000,000 by default. */
  readonly maxSteps: number;
}

/** The bounds that hold unless others are asked for. */
export const defaultExpressionLimits: ExpressionLimits = {
  maxLength: 100_000,
  maxDepth: 250,
  maxPatternLength: 1_000,
  maxSteps: 1_000_000,
};
