// As in `src/compile/verdict.ts`.
export const NO = 1;
export const YES = 2;
export const FAILED = 3;
export const OPEN = 4;

// What the host may say besides; `src/evaluate/evaluate-clause.ts` and `engine.ts` have the same numbers.

/** Of a test: there is nothing to test, and so the clause does not match, negated or not. */
export const NOTHING = 5;
/** Of a test: the clause has to be asked as a whole. */
export const WHOLE = 6;
/** There is more to be known than a verdict can say. So does every greater number in a memo. */
export const UNUSUAL = 7;
