/** What is known of a clause, a segment or a flag for a context; 0 is left for nothing yet. */
export const NO = 1;
export const YES = 2;
/** It cannot be evaluated, and neither can what depends on it. */
export const FAILED = 3;
/** Its evaluation has begun but not ended: who comes here now has gone round in a circle. */
export const OPEN = 4;
