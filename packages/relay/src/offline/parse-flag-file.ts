import { inTurns } from "../steps.js";
import { flagFileError } from "./flag-file-error.js";
import { type FlagFile, FlagFileReader } from "./flag-file-reader.js";
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
