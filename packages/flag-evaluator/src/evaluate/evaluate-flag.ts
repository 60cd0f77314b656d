import type { CompiledFlag } from "../compile/compiled-flag.js";
import { flagCode, rolloutCode } from "../compile/flag-code.js";
import type { Outcome } from "../compile/outcome.js";
import { GIVES_FATAL, shareWords } from "../compile/program.js";
import { NO_FLAG } from "../compile/snapshot.js";
import { FAILED, YES } from "../compile/verdict.js";
import { clauseVerdict } from "./evaluate-clause.js";
import { KIND_MISSING, NOT_LISTED, NOTHING_MET, type Scope } from "./scope.js";

const { headerWords, prerequisiteWords } = flagCode;

/** In place of an outcome: the flag was not evaluated yet. */
const UNKNOWN = -1;
/** The evaluation of the flag has begun but not ended: who comes here now has gone round in a circle. */
const BEGUN = -2;
/** In place of an outcome: nothing stands in the way. */
const MET = -1;

/** The outcome of a flag for the scope's context. */
export function outcomeOf(scope: Scope, { code }: CompiledFlag): Outcome {
  return scope.program.outcome(runFlag(scope, code));
}

/** The number of the outcome for the scope's context of the flag whose code begins there. */
export function runFlag(scope: Scope, at: number): number {
  const { program, results } = scope;
  const slot = program.code[at] ?? 0;
  const known = results[slot] ?? UNKNOWN;
  if (known >= 0) {
    scope.status = Math.max(scope.status, program.statuses[known] ?? 0);
    return known;
  }
  results[slot] = BEGUN;
  const outer = scope.status;
  scope.status = 0;
  const decided = decide(scope, slot, at);
  const outcome = scope.status === 0 ? decided : program.withStatus(decided, scope.status);
  scope.status = Math.max(outer, scope.status);
  if (scope.metFlag === slot) scope.metFlag = NOTHING_MET;
  results[slot] = scope.metFlag === NOTHING_MET ? outcome : UNKNOWN;
  return outcome;
}

function decide(scope: Scope, slot: number, begin: number): number {
  const { code } = scope.program;
  let at = begin + headerWords;
  const rules = at + (code[begin + flagCode.prerequisites] ?? 0) * prerequisiteWords;
  for (; at < rules; at += prerequisiteWords) {
    const obstacle = unmetPrerequisite(scope, slot, at);
    if (obstacle !== MET) return obstacle;
  }
  const listed = scope.flagTarget(slot);
  if (listed !== NOT_LISTED) return listed;
  const fallthrough = begin + headerWords + (code[begin + flagCode.length] ?? 0);
  while (at < fallthrough) {
    const then = at + 1 + (code[at] ?? 0);
    let verdict: number = YES;
    for (at++; at < then && verdict === YES; at++) verdict = clauseVerdict(scope, code[at] ?? 0);
    if (verdict === YES) return follow(scope, code[then] ?? 0);
    if (verdict === FAILED) return code[begin + flagCode.malformed] ?? 0;
    at = then + 1;
  }
  return follow(scope, code[fallthrough] ?? 0);
}

/** What becomes of the flag because of the prerequisite that stands there, if it is not met. */
function unmetPrerequisite(scope: Scope, slot: number, at: number): number {
  const { program, snapshot, results } = scope;
  const other = program.code[at] ?? 0;
  const missing = program.code[at + 2] ?? 0;
  const failed = missing + 1;
  const malformed = missing + 2;
  if (snapshot.tooDeep.flags.has(slot)) return malformed;
  const place = snapshot.places[other] ?? NO_FLAG;
  if (place === NO_FLAG) return missing;
  if (results[other] === BEGUN) {
    scope.metFlag = other;
    return malformed;
  }
  const gives = program.gives[runFlag(scope, place)] ?? GIVES_FATAL;
  if (gives === GIVES_FATAL) return malformed;
  return gives >= 0 && gives === program.code[at + 1] ? MET : failed;
}

/** Where a decision leads: to an outcome, or into a rollout and to one of its shares. */
export function follow(scope: Scope, decision: number): number {
  if (decision >= 0) return decision;
  const { code, shares } = scope.program;
  const rollout = ~decision;
  const bucket = scope.bucket(rollout + rolloutCode.bucketing);
  if (bucket === KIND_MISSING) return code[rollout + rolloutCode.kindMissing] ?? 0;
  const last = code[rollout + rolloutCode.lastShare] ?? 0;
  let share = code[rollout + rolloutCode.firstShare] ?? 0;
  while (share < last && bucket >= (shares[share] ?? 0)) share += shareWords;
  return shares[share + 1] ?? 0;
}
