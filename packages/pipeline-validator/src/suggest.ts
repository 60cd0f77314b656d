import { type ComparisonBudget, didYouMean } from "@wye/pipeline-spec";
import { sameFamily } from "./name-families.js";
import { quote } from "./quote.js";

/** Names that may have been meant. */
export interface Candidates extends Iterable<string> {
  readonly length: number;
}

/** The candidate of which `name` is most likely a misspelling. */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  budget?: ComparisonBudget,
): string | undefined {
  return name === "" ? undefined : didYouMean(name, candidates, budget);
}

/** A hint that names the candidate of which `name` is most likely a misspelling. */
export function suggestMeant(name: string, candidates: Candidates, except?: string): string | undefined {
  const others = except === undefined ? candidates : without(candidates, except);
  const meant = nearest(name, others) ?? sameFamily(name, without(candidates, except));
  // What is near is never so long that it has to be cut.
  return meant === undefined ? undefined : `did you mean ${JSON.stringify(meant)}?`;
}

/** A hint that names the candidate of which `name` is most likely a misspelling, or lists the few there are. */
export function suggest(name: string, candidates: Candidates, except?: string): string | undefined {
  const meant = suggestMeant(name, candidates, except);
  if (meant !== undefined) return meant;
  if (candidates.length > 7) return undefined;
  const few = [...without(candidates, except)];
  if (few.length === 0 || few.length > 6) return undefined;
  return `there ${few.length === 1 ? "is" : "are"} ${few.map(quote).join(", ")}`;
}

/** Goes over the candidates no further than it is asked to: there may be many, and one question of many asks for few. */
function* without(candidates: Candidates, name: string | undefined): Generator<string> {
  for (const one of candidates) if (one !== name) yield one;
}
