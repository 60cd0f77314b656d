import type { Clause } from "../compile/clause.js";
import type { BigSegment, CompiledSegment, SegmentShare } from "../compile/compiled-segment.js";
import type { TextTest } from "../compile/operators.js";
import { bigSegmentsStatuses } from "../compile/outcome.js";
import { FAILED, NO, OPEN, YES } from "../compile/verdict.js";
import { KIND_MISSING, NOTHING_MET, type Scope } from "./scope.js";

/** The most comparisons that one clause makes for one context; beyond them it counts as malformed. */
const MAX_COMPARISONS = 1_000_000;

// Above the verdict a memo has the status of the big segments that were asked for it.
const VERDICT_BITS = 3;
const VERDICT_MASK = 7;

/** Whether all clauses match: YES, NO, or FAILED when one that counts cannot be evaluated. */
function evaluateClauses(scope: Scope, clauses: readonly number[]): number {
  for (let i = 0; i < clauses.length; i++) {
    const verdict = clauseVerdict(scope, clauses[i] ?? 0);
    if (verdict !== YES) return verdict;
  }
  return YES;
}

/** Whether a clause matches: YES, NO, or FAILED when it cannot be evaluated. */
export function clauseVerdict(scope: Scope, slot: number): number {
  const known = scope.clauseMemo[slot] ?? 0;
  return known === 0 ? evaluateClause(scope, slot) : recall(scope, known);
}

function evaluateClause(scope: Scope, slot: number): number {
  const clause = scope.snapshot.registry.clauses[slot];
  if (clause === undefined) return FAILED;
  if (clause.type === "index") {
    clause.index.answer(scope.clauseMemo, scope.value(clause.attribute));
    return scope.clauseMemo[slot] ?? FAILED;
  }
  if (clause.type !== "segments") {
    const verdict = clause.type === "tests" ? anyTest(scope, clause) : FAILED;
    scope.clauseMemo[slot] = verdict;
    return verdict;
  }
  const outer = scope.status;
  scope.status = 0;
  const verdict = negate(clause, inAnySegment(scope, clause.segments));
  if (scope.met === NOTHING_MET) scope.clauseMemo[slot] = verdict | (scope.status << VERDICT_BITS);
  scope.status = Math.max(outer, scope.status);
  return verdict;
}

/** Whether a segment has the context: YES, NO, or FAILED when it cannot be told. */
export function evaluateSegment(scope: Scope, segment: CompiledSegment): number {
  const { slot } = segment;
  const known = scope.segmentMemo[slot] ?? 0;
  if (known === OPEN) scope.met = slot;
  if (known !== 0) return recall(scope, known);
  scope.segmentMemo[slot] = OPEN;
  const outer = scope.status;
  scope.status = 0;
  const verdict = segmentVerdict(scope, segment);
  if (scope.met === slot) scope.met = NOTHING_MET;
  // What comes round to a segment that is not decided yet does not know the status of all that lies on the way.
  scope.segmentMemo[slot] = scope.met === NOTHING_MET ? verdict | (scope.status << VERDICT_BITS) : 0;
  scope.status = Math.max(outer, scope.status);
  return verdict;
}

/** Takes a verdict from a memo, and with it the status that the flag has now come across. */
function recall(scope: Scope, known: number): number {
  const status = known >> VERDICT_BITS;
  if (status > scope.status) scope.status = status;
  const verdict = known & VERDICT_MASK;
  return verdict === OPEN ? FAILED : verdict;
}

function negate({ negate }: { readonly negate: boolean }, verdict: number): number {
  if (!negate || verdict === FAILED) return verdict;
  return verdict === YES ? NO : YES;
}

/** Whether any of the tests of a clause finds what it looks for. */
function anyTest(scope: Scope, clause: Extract<Clause, { type: "tests" }>): number {
  const value = scope.value(clause.attribute);
  // What is missing does not match, and negation does not change that.
  if (value === undefined) return NO;
  if (Array.isArray(value) && value.length * clause.tests.length > MAX_COMPARISONS) return FAILED;
  for (const test of clause.tests) {
    const verdict = Array.isArray(value) ? listVerdict(scope, test, value) : testVerdict(scope, test, value);
    if (verdict !== NO) return negate(clause, verdict);
  }
  return negate(clause, NO);
}

/** In place of the verdict of a test: there is nothing to test, or many texts. */
const NOTHING = 5;
const WHOLE = 6;

/** The verdict of one test of a clause, or one of the marks. */
export function soleTestVerdict(scope: Scope, slot: number, test: number): number {
  const clause = scope.snapshot.registry.clauses[slot];
  if (clause?.type !== "tests") return FAILED;
  const value = scope.value(clause.attribute);
  if (Array.isArray(value)) return WHOLE;
  if (value !== undefined) return testVerdict(scope, test, value);
  scope.testMemo[test] = NOTHING;
  return NOTHING;
}

function testVerdict(scope: Scope, slot: number, value: unknown): number {
  const known = scope.testMemo[slot] ?? 0;
  if (known !== 0) return known;
  const test = scope.snapshot.registry.tests[slot];
  const verdict = test === undefined ? FAILED : testOne(scope, test, value);
  scope.testMemo[slot] = verdict;
  return verdict;
}

/** Kept apart: whether a clause may ask a list depends on all of its tests, so that no test of one is answered alone. */
function listVerdict(scope: Scope, slot: number, list: readonly unknown[]): number {
  const known = scope.listVerdicts.get(slot);
  if (known !== undefined) return known;
  const test = scope.snapshot.registry.tests[slot];
  const verdict = test === undefined ? FAILED : testElements(scope, test, list);
  scope.listVerdicts.set(slot, verdict);
  return verdict;
}

function testOne(scope: Scope, test: TextTest, value: unknown): number {
  if (typeof value !== "string") return NO;
  if (!scope.affords(1 + value.length * test.perCharacter())) return FAILED;
  return test.matches(value) ? YES : NO;
}

function testElements(scope: Scope, test: TextTest, list: readonly unknown[]): number {
  if (!scope.affords(list.length)) return FAILED;
  const { texts, characters } = scope.textsIn(list);
  if (!scope.affords(characters * test.perCharacter())) return FAILED;
  for (const text of texts) if (test.matches(text)) return YES;
  return NO;
}

function inAnySegment(scope: Scope, slots: readonly number[]): number {
  for (const slot of slots) {
    const segment = scope.snapshot.segments[slot];
    if (segment === undefined || segment.deleted) continue;
    const verdict = evaluateSegment(scope, segment);
    if (verdict !== NO) return verdict;
  }
  return NO;
}

function segmentVerdict(scope: Scope, segment: CompiledSegment): number {
  if (segment.problems.length > 0 || scope.snapshot.tooDeep.segments.has(segment.slot)) return FAILED;
  if (segment.big !== undefined) {
    const verdict = bigSegmentVerdict(scope, segment.big);
    if (verdict !== undefined) return verdict;
  } else {
    const target = scope.segmentTarget(segment.slot);
    if (target !== undefined) return target.included ? YES : NO;
  }
  for (const { clauses, share } of segment.rules) {
    const verdict = evaluateClauses(scope, clauses);
    if (verdict === FAILED) return FAILED;
    if (verdict === NO) continue;
    const dealt = share === undefined ? YES : inShare(scope, share);
    if (dealt !== NO) return dealt;
  }
  return NO;
}

/** What the membership says; undefined leaves it to the rules. */
function bigSegmentVerdict(scope: Scope, { kind, reference }: BigSegment): number | undefined {
  if (reference === undefined) {
    scope.status = bigSegmentsStatuses.indexOf("NOT_CONFIGURED");
    return NO;
  }
  const part = scope.part(kind);
  if (part === undefined) return NO;
  const { status, segments } = scope.membership(part.key);
  scope.status = Math.max(scope.status, bigSegmentsStatuses.indexOf(status));
  const included = segments?.get(reference);
  return included === undefined ? undefined : included ? YES : NO;
}

/** Whether the context is among the share of a segment that a rule lets in. */
export function inShare(scope: Scope, { bucketing, limit }: SegmentShare): number {
  if (bucketing === undefined) return FAILED;
  const bucket = scope.bucket(bucketing);
  return bucket !== KIND_MISSING && bucket < limit ? YES : NO;
}
