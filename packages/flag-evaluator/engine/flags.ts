import { CODE, entry, entryAt, FLAGS, GIVES, PLACES, RESULTS, TARGETS } from "./layout";
import { deal, forgetWaiting, settle, WAITS } from "./rollouts";
import { clauseVerdict } from "./segments";
import { FAILED, NO, YES } from "./verdicts";

/** In place of an outcome: the flag was not evaluated yet, or its evaluation has begun but not ended. */
const UNKNOWN = -1;
const BEGUN = -2;

/** In place of a decision: nothing stands in the way. */
const MET = -1;

/** In place of what an outcome gives: what needs it cannot be evaluated either. */
const GIVES_FATAL = -2;

/** In place of an outcome: what the flag needs is unusual, and so it is left to the host. */
const LEFT_TO_HOST = -4;

/** In place of a decision: the same. */
const NO_DECISION: i32 = i32.MIN_VALUE;

/** How many are left to the host. */
let left = 0;

/** Evaluates so many flags; gives how many are left to the host. */
export function evaluate(count: i32): i32 {
  left = 0;
  forgetWaiting();
  for (let i = 0; i < count; i++) {
    const place = entry(PLACES, i);
    if (entry(RESULTS, entry(CODE, place)) === UNKNOWN) evaluateFlag(place);
  }
  settle();
  return left;
}

function evaluateFlag(place: i32): void {
  const begin = entryAt(CODE, place);
  const slot = load<i32>(begin);
  store<i32>(entryAt(RESULTS, slot), BEGUN);
  const decision = decide(slot, begin);
  if (decision >= 0) {
    store<i32>(entryAt(RESULTS, slot), decision);
  } else if (decision === NO_DECISION || !deal(slot, ~decision)) {
    store<i32>(entryAt(RESULTS, slot), LEFT_TO_HOST);
    left++;
  }
}

/** The decision for a flag: an outcome, or the complement of the place of a rollout. */
function decide(slot: i32, begin: usize): i32 {
  let at = begin + 16;
  const fallthrough = at + ((<usize>load<i32>(begin, 8)) << 2);
  for (let count = load<i32>(begin, 4); count > 0; count--, at += 12) {
    const obstacle = unmetPrerequisite(at);
    if (obstacle !== MET) return obstacle;
  }
  const listed = entry(TARGETS, slot);
  if (listed >= 0) return listed;
  while (at < fallthrough) {
    const then = at + 4 + ((<usize>load<i32>(at)) << 2);
    let verdict = YES;
    for (at += 4; at < then && verdict === YES; at += 4) verdict = clauseVerdict(load<i32>(at));
    if (verdict === YES) return load<i32>(then);
    if (verdict !== NO) {
      return verdict === FAILED ? load<i32>(begin, 12) : NO_DECISION;
    }
    at = then + 4;
  }
  return load<i32>(fallthrough);
}

/** What becomes of a flag because of the prerequisite that stands there, unless it is met. */
function unmetPrerequisite(at: usize): i32 {
  const other = load<i32>(at);
  const missing = load<i32>(at, 8);
  const place = entry(FLAGS, other);
  if (place < 0) return missing;
  let outcome = entry(RESULTS, other);
  if (outcome === UNKNOWN) {
    evaluateFlag(place);
    outcome = entry(RESULTS, other);
  }
  if (outcome === WAITS) {
    settle();
    outcome = entry(RESULTS, other);
  }
  // Whoever has begun and not ended needs itself.
  if (outcome < 0) return NO_DECISION;
  const gives = entry(GIVES, outcome);
  if (gives === GIVES_FATAL) return missing + 2;
  return gives >= 0 && gives === load<i32>(at, 4) ? MET : missing + 1;
}
