import { type Fields, isAbsent, partsAt } from "../fields.js";
import { checkClauses, segmentsNamedBy } from "./check-clauses.js";
import { checkWeight } from "./check-decision.js";
import type { ItemProblem } from "./item-problem.js";

/** Looks whether a segment can be meant. `segments` are those that there are. */
export function* checkSegment(
  segment: Fields,
  segments: { has(key: string): boolean },
): Generator<ItemProblem> {
  for (const name of ["includedContexts", "excludedContexts"])
    for (const [{ values }, path] of partsAt([name], segment[name]))
      if (isAbsent(values)) yield { path, message: "it needs values, the list of keys" };
  for (const [rule, path] of partsAt(["rules"], segment.rules)) {
    if (Array.isArray(rule.clauses) && rule.clauses.length === 0 && isAbsent(rule.weight))
      yield { path, message: "a rule needs clauses, or a weight" };
    yield* checkWeight(rule.weight, [...path, "weight"]);
    yield* checkClauses(rule, path, segments);
  }
}

/** The segments that the rules of a segment name. */
export function segmentsOf(segment: Fields): readonly string[] {
  return partsAt([], segment.rules).flatMap(([rule]) => segmentsNamedBy(rule));
}
