import { type Fields, isAbsent, partsAt } from "../fields.js";
import { checkClauses } from "./check-clauses.js";
import { checkDecision, checkVariation } from "./check-decision.js";
import type { ItemProblem } from "./item-problem.js";

/** The flags and segments that a flag may speak of. */
export interface Neighbours {
  readonly flags: ReadonlyMap<string, Fields>;
  readonly segments: { has(key: string): boolean };
}

/** Looks whether a flag can be meant: whether everything that it speaks of is there, and everything that it needs. */
export function* checkFlag(flag: Fields, { flags, segments }: Neighbours): Generator<ItemProblem> {
  const { variations } = flag;
  if (!Array.isArray(variations)) {
    yield { path: [], message: "it needs variations, a list of the values that it may give" };
    return;
  }
  if (variations.length === 0) {
    yield { path: ["variations"], message: "there must be one at least" };
    return;
  }
  const count = variations.length;
  yield* checkVariation(flag.offVariation, ["offVariation"], count);
  yield* checkDecision(flag.fallthrough, ["fallthrough"], count);
  for (const name of ["targets", "contextTargets"])
    for (const [target, path] of partsAt([name], flag[name])) yield* checkTarget(target, path, count);
  for (const [rule, path] of partsAt(["rules"], flag.rules)) {
    yield* checkDecision(rule, path, count);
    if (Array.isArray(rule.clauses) && rule.clauses.length === 0)
      yield { path, message: "a rule needs clauses; what holds for everybody is the fallthrough" };
    yield* checkClauses(rule, path, segments);
  }
  for (const [prerequisite, path] of partsAt(["prerequisites"], flag.prerequisites))
    yield* checkPrerequisite(prerequisite, path, flags);
}

function* checkTarget(
  { variation, values }: Fields,
  path: readonly string[],
  count: number,
): Generator<ItemProblem> {
  if (isAbsent(variation)) yield { path, message: "a target needs a variation" };
  if (isAbsent(values)) yield { path, message: "a target needs values, the list of keys" };
  yield* checkVariation(variation, [...path, "variation"], count);
}

function* checkPrerequisite(
  { key, variation }: Fields,
  path: readonly string[],
  flags: ReadonlyMap<string, Fields>,
): Generator<ItemProblem> {
  if (isAbsent(key)) yield { path, message: "a prerequisite needs the key of a flag" };
  if (isAbsent(variation)) yield { path, message: "a prerequisite needs a variation" };
  if (typeof key !== "string") return;
  const other = flags.get(key);
  if (other === undefined)
    yield { path: [...path, "key"], message: `there is no flag ${JSON.stringify(key)}` };
  else if (Array.isArray(other.variations))
    yield* checkVariation(variation, [...path, "variation"], other.variations.length);
}

/** The flags that a flag depends on. */
export function prerequisitesOf(flag: Fields): readonly string[] {
  return partsAt([], flag.prerequisites).flatMap(([{ key }]) => (typeof key === "string" ? [key] : []));
}
