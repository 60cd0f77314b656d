import { clauseOperators, clauseValueFault } from "@wye/flag-evaluator";
import { type Fields, isAbsent, partsAt } from "../fields.js";
import { nearestName } from "../nearest-name.js";
import type { ItemProblem } from "./item-problem.js";

/** Looks whether each clause of a rule can match anything. `segments` are those that there are. */
export function* checkClauses(
  rule: Fields,
  path: readonly string[],
  segments: { has(key: string): boolean },
): Generator<ItemProblem> {
  for (const [clause, place] of partsAt([...path, "clauses"], rule.clauses))
    for (const { path: way, message } of problemsOf(clause, segments))
      yield { path: [...place, ...way], message };
}

function* problemsOf(
  { op, attribute, values }: Fields,
  segments: { has(key: string): boolean },
): Generator<ItemProblem> {
  if (isAbsent(op)) yield { path: [], message: `a clause needs an op: ${clauseOperators.join(", ")}` };
  else if (typeof op === "string" && !clauseOperators.includes(op))
    yield { path: ["op"], message: `there is no operator ${JSON.stringify(op)}; ${hintFor(op)}` };
  if (op !== "segmentMatch" && (isAbsent(attribute) || attribute === ""))
    yield { path: [], message: "a clause needs the attribute that it compares, as in `attribute: key`" };
  if (isAbsent(values)) yield { path: [], message: "a clause needs values, a list" };
  if (!Array.isArray(values) || typeof op !== "string" || !clauseOperators.includes(op)) return;
  for (const [at, value] of values.entries()) {
    const fault = clauseValueFault(op, value);
    if (fault !== undefined) yield { path: ["values", `${at}`], message: `${shown(value)} ${fault}` };
    else if (op === "segmentMatch" && !segments.has(value))
      yield { path: ["values", `${at}`], message: `there is no segment ${shown(value)}` };
  }
}

function hintFor(op: string): string {
  const meant = nearestName(op, clauseOperators);
  return meant === undefined ? `there are ${clauseOperators.join(", ")}` : `is it ${meant}?`;
}

const longestShown = 100;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** The segments that the clauses of a rule name. */
export function segmentsNamedBy(rule: Fields): readonly string[] {
  return partsAt([], rule.clauses).flatMap(([{ op, values }]) =>
    op === "segmentMatch" && Array.isArray(values) ? values.filter((value) => typeof value === "string") : [],
  );
}
