import * as host from "./host";
import {
  byteOf,
  CLAUSE_MEMO,
  CLAUSES,
  CODE,
  entry,
  entryAt,
  LISTED,
  SEGMENT_MEMO,
  SEGMENTS,
  setByte,
  TEST_MEMO,
} from "./layout";
import { hashNow, KIND_MISSING, LEFT_TO_HOST } from "./rollouts";
import { FAILED, NO, NOTHING, OPEN, UNUSUAL, WHOLE, YES } from "./verdicts";

// The parts of a clause: what it is of, 1 if it is negated, the number of tests or segments, and these.
const OF_TESTS = 0;

/** In place of where a segment begins: there is none, or it is left to the host. */
const NO_SEGMENT = 0;
const HOST_SEGMENT = -1;

/** In place of where the share of a rule is: all are in, or it cannot be told. */
const ALL = 0;
const INVALID = -1;

/** Whether a clause matches: YES, NO, FAILED, or UNUSUAL. */
export function clauseVerdict(clause: i32): i32 {
  const known = byteOf(CLAUSE_MEMO, clause);
  if (known !== 0) return min(known, UNUSUAL);
  const parts = entry(CLAUSES, clause);
  if (parts === 0) return host.clause(clause);
  const at = <usize>parts;
  let verdict = load<i32>(at) === OF_TESTS ? anyTest(clause, at) : anySegment(at);
  if (verdict === WHOLE) return host.clause(clause);
  if (verdict === UNUSUAL) return verdict;
  if (verdict === NOTHING) verdict = NO;
  else if (load<i32>(at, 4) !== 0 && verdict !== FAILED) verdict = YES + NO - verdict;
  setByte(CLAUSE_MEMO, clause, verdict);
  return verdict;
}

function anyTest(clause: i32, at: usize): i32 {
  const end = at + 12 + ((<usize>load<i32>(at, 8)) << 2);
  for (let one = at + 12; one < end; one += 4) {
    const test = load<i32>(one);
    let verdict = byteOf(TEST_MEMO, test);
    if (verdict === 0) verdict = host.test(clause, test);
    if (verdict !== NO) return verdict;
  }
  return NO;
}

function anySegment(at: usize): i32 {
  const end = at + 12 + ((<usize>load<i32>(at, 8)) << 2);
  for (let one = at + 12; one < end; one += 4) {
    const verdict = segmentVerdict(load<i32>(one));
    if (verdict !== NO) return verdict;
  }
  return NO;
}

/** Whether a segment has the context. */
function segmentVerdict(segment: i32): i32 {
  const known = byteOf(SEGMENT_MEMO, segment);
  // Whoever is open needs itself, and so is left to the host.
  if (known !== 0) return known === OPEN ? UNUSUAL : min(known, UNUSUAL);
  const begin = entry(SEGMENTS, segment);
  if (begin === NO_SEGMENT) return NO;
  if (begin === HOST_SEGMENT) return host.segment(segment);
  setByte(SEGMENT_MEMO, segment, OPEN);
  const listed = byteOf(LISTED, segment);
  const verdict = listed !== 0 ? listed : anyRule(<usize>begin);
  setByte(SEGMENT_MEMO, segment, verdict === UNUSUAL ? 0 : verdict);
  return verdict;
}

/** A segment has its number of rules, and for each the number of clauses, the clauses, and where its share is. */
function anyRule(begin: usize): i32 {
  let at = begin + 4;
  for (let rules = load<i32>(begin); rules > 0; rules--) {
    const then = at + 4 + ((<usize>load<i32>(at)) << 2);
    let verdict = YES;
    for (at += 4; at < then && verdict === YES; at += 4) verdict = clauseVerdict(load<i32>(at));
    if (verdict === YES) verdict = inShare(load<i32>(then));
    if (verdict !== NO) return verdict;
    at = then + 4;
  }
  return NO;
}

/** A share is its limit, and the place of the code for bucketing. */
function inShare(share: i32): i32 {
  if (share === ALL) return YES;
  if (share === INVALID) return FAILED;
  const hash = hashNow(entryAt(CODE, load<i32>(share, 8)));
  if (hash === LEFT_TO_HOST) return UNUSUAL;
  return hash !== KIND_MISSING && hash < load<f64>(share) ? YES : NO;
}
