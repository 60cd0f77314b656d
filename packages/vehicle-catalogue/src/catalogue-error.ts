import type { RecordProblem } from "./records/record-problem.js";

/**
 * - `invalid_data`: the data are not a catalogue, or strict loading met wrong records (then `problems` lists them).
 * - `shrunk`: there are fewer right records than a replacement must have; the present data stay.
 * - `unreadable`: a file could not be read, or is no JSON.
 * - `unsupported`: this runtime has no file system.
 */
export type CatalogueErrorCode = "invalid_data" | "shrunk" | "unreadable" | "unsupported";

/** A catalogue that could not be loaded. */
export class CatalogueError extends Error {
  override readonly name = "CatalogueError";
  readonly code: CatalogueErrorCode;
  readonly problems: readonly RecordProblem[];

  constructor(
    code: CatalogueErrorCode,
    message: string,
    options: ErrorOptions & { readonly problems?: readonly RecordProblem[] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.problems = options.problems ?? [];
  }
}
