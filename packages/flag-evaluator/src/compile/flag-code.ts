/**
 * The code of a flag: its slot, the number of prerequisites, the length of prerequisites and rules, and the outcome when
 * a clause is malformed; then for each prerequisite its slot, its variation and the first of three outcomes (missing,
 * failed, malformed); then for each rule the number of clauses, their slots, and a decision; last the decision of the
 * fallthrough.
 *
 * A decision is an outcome, or the complement (`~`) of the place of a rollout.
 */
export const flagCode = {
  slot: 0,
  prerequisites: 1,
  length: 2,
  malformed: 3,
  headerWords: 4,
  prerequisiteWords: 3,
} as const;

/**
 * The code of a rollout: the outcome for contexts without the kind that is dealt out, the first and the last of its
 * shares, and bucketing: the slots of kind and attribute, 1 if a secondary key takes part, and the prefix for the hash.
 */
export const rolloutCode = { kindMissing: 0, firstShare: 1, lastShare: 2, bucketing: 3 } as const;

/** What follows when all of these clauses match. */
export interface RuleCode {
  /** By slot. */
  readonly clauses: readonly number[];
  readonly decision: number;
}

/** Reads the rules of the flag whose code begins there; the fallthrough is the last of them, without clauses. */
export function readRules(code: Int32Array, begin: number): readonly RuleCode[] {
  const { headerWords, prerequisites, prerequisiteWords, length } = flagCode;
  const words = Array.from(code.subarray(begin, begin + headerWords));
  let at = begin + headerWords + (words[prerequisites] ?? 0) * prerequisiteWords;
  const fallthrough = begin + headerWords + (words[length] ?? 0);
  const rules: RuleCode[] = [];
  while (at < fallthrough) {
    const then = at + 1 + (code[at] ?? 0);
    rules.push({ clauses: Array.from(code.subarray(at + 1, then)), decision: code[then] ?? 0 });
    at = then + 1;
  }
  return [...rules, { clauses: [], decision: code[fallthrough] ?? 0 }];
}
