import type { ExpressionProblemCode } from "./expression-problem.js";

/** Functions of ours carry this prefix inside the engine; nobody else can call them, as unknown functions are refused before. */
export const ownPrefix = "wye_";

/** A function with the types of its arguments and its result, as the engine spells them. */
export type CelFunction = readonly [signature: string, compute: (...values: never[]) => unknown];

/** What the functions need from the engine. */
export interface CelValues {
  /** An unsigned integer. */
  readonly uint: (value: bigint) => unknown;
  /** An error that carries the place of the call. */
  readonly failure: (code: ExpressionProblemCode, message: string) => Error;
}
