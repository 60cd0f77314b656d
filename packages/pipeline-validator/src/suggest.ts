import { didYouMean } from "@wye/pipeline-spec";

/** Comparing with more names than these would take long, and say little. */
const mostCandidates = 2_000;

/** A hint that names the candidate of which `name` is most likely a misspelling, or lists the few there are. */
export function suggest(name: string, candidates: Iterable<string>): string | undefined {
  const known = [...first(candidates, mostCandidates)];
  const meant = nearest(name, known);
  if (meant !== undefined) return `did you mean ${JSON.stringify(meant)}?`;
  if (known.length === 0 || known.length > 6) return undefined;
  return `there ${known.length === 1 ? "is" : "are"} ${known.map((one) => JSON.stringify(one)).join(", ")}`;
}

/** The candidate of which `name` is most likely a misspelling. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  return name === "" ? undefined : didYouMean(name, first(candidates, mostCandidates));
}

function* first(names: Iterable<string>, most: number): Generator<string> {
  let count = 0;
  for (const name of names) {
    if (++count > most) return;
    yield name;
  }
}
