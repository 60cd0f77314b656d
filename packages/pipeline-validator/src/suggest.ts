import { type ComparisonBudget, didYouMean } from "@wye/pipeline-spec";

/** The candidate of which `name` is most likely a misspelling. */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  budget?: ComparisonBudget,
): string | undefined {
  return name === "" ? undefined : didYouMean(name, candidates, budget);
}

/** A hint that names the candidate of which `name` is most likely a misspelling, or lists the few there are. */
export function suggest(name: string, candidates: readonly string[]): string | undefined {
  const meant = nearest(name, candidates);
  if (meant !== undefined) return `did you mean ${JSON.stringify(meant)}?`;
  if (candidates.length === 0 || candidates.length > 6) return undefined;
  return `there ${candidates.length === 1 ? "is" : "are"} ${candidates.map((one) => JSON.stringify(one)).join(", ")}`;
}
