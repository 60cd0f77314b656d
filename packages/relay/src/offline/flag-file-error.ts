import { RelayError } from "../error.js";
import type { LocatedProblem } from "./located-text.js";

/** More than these are counted: one mistake may lead to thousands. */
const mostProblems = 50;

/** Says what is wrong with a file of flags. */
export function flagFileError(path: string, problems: readonly LocatedProblem[]): RelayError {
  const all = problems
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, message }) => `${path}:${line}: ${message}`);
  const unique = [...new Set(all)];
  const more = unique.length - mostProblems;
  const sentences = [
    ...unique.slice(0, mostProblems),
    ...(more > 0 ? [`${path}: and ${more} more problems`] : []),
  ];
  return new RelayError("malformed_data", sentences.join("\n"), { problems: sentences });
}
