import { RelayError } from "../error.js";
import { inTurns } from "../steps.js";
import { type FlagFile, FlagFileReader } from "./flag-file-reader.js";
import type { LocatedProblem } from "./located-text.js";
import { readLocatedText } from "./read-located-text.js";

/**
 * Reads flags that people have written, in JSON or YAML, in as many turns of the event loop as that needs. Throws a
 * `RelayError` (`malformed_data`) with a sentence for each mistake that names the file, the line, and the flag.
 */
export async function parseFlagFile(text: string, path: string): Promise<FlagFile> {
  const located = await readLocatedText(text);
  if (located.problems.length > 0) throw flagFileError(path, located.problems);
  const reader = new FlagFileReader(located);
  const file = await inTurns(reader.read());
  if (file !== undefined && reader.problems.length === 0) return file;
  throw flagFileError(path, reader.problems);
}

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
