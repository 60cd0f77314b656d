import { type Fields, isFields } from "../fields.js";

/** Something about a flag that cannot be meant, with its place in the flag. */
export interface FlagProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** The flags and segments that a flag may speak of. */
export interface Neighbours {
  readonly flags: ReadonlyMap<string, Fields>;
  readonly segments: ReadonlyMap<string, unknown>;
}

/** Looks whether everything that a flag speaks of is there: its variations, other flags, segments. */
export function checkFlag(flag: Fields, neighbours: Neighbours): FlagProblem[] {
  const problems: FlagProblem[] = [];
  const { variations } = flag;
  if (!Array.isArray(variations)) {
    return [{ path: [], message: "it needs variations, a list of the values that it may give" }];
  }
  if (variations.length === 0) return [{ path: ["variations"], message: "there must be one at least" }];
  const demandVariation = (index: unknown, path: readonly string[], count: number = variations.length) => {
    if (typeof index !== "number" || (index >= 0 && index < count)) return;
    const which = count === 1 ? "0" : `0 to ${count - 1}`;
    problems.push({ path, message: `there is no variation ${index}; there is ${which}` });
  };
  const demandDecision = (given: unknown, path: readonly string[]) => {
    if (!isFields(given)) return;
    if (given.variation === undefined && !isFields(given.rollout))
      problems.push({ path, message: "it needs a variation or a rollout" });
    demandVariation(given.variation, [...path, "variation"]);
    if (!isFields(given.rollout)) return;
    for (const { variation } of fieldsIn(given.rollout.variations))
      demandVariation(variation, [...path, "rollout", "variations"]);
  };
  demandVariation(flag.offVariation, ["offVariation"]);
  demandDecision(flag.fallthrough, ["fallthrough"]);
  for (const name of ["targets", "contextTargets"])
    for (const { variation } of fieldsIn(flag[name])) demandVariation(variation, [name]);
  for (const [at, rule] of fieldsIn(flag.rules).entries()) {
    demandDecision(rule, ["rules", `${at}`]);
    for (const segment of segmentsIn(rule))
      if (!neighbours.segments.has(segment))
        problems.push({
          path: ["rules", `${at}`],
          message: `there is no segment ${JSON.stringify(segment)}`,
        });
  }
  for (const { key, variation } of fieldsIn(flag.prerequisites)) {
    const other = neighbours.flags.get(String(key));
    const path = ["prerequisites"];
    if (other === undefined) problems.push({ path, message: `there is no flag ${JSON.stringify(key)}` });
    else if (Array.isArray(other.variations)) demandVariation(variation, path, other.variations.length);
  }
  return problems;
}

/** The segments that the clauses of a rule name. */
function segmentsIn(rule: Fields): string[] {
  return fieldsIn(rule.clauses).flatMap(({ op, values }) =>
    op === "segmentMatch" && Array.isArray(values) ? values.map(String) : [],
  );
}

function fieldsIn(list: unknown): Fields[] {
  return Array.isArray(list) ? list.filter(isFields) : [];
}
