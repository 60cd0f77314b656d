import type { RecordProblem } from "./records/record-problem.js";
import type { CatalogueSnapshot } from "./server/catalogue.js";

/**
 * - `invalid_data`: the data are not a catalogue, or strict loading met wrong records (then `problems` lists them).
 * - `shrunk`: there are fewer right records than a replacement must have; the present data stay.
 * - `unreadable`: a file could not be read, or is no JSON.
 * - `unsupported`: this runtime has no file system.
 * - `unavailable`: where the data are cannot be reached for the time being; after `retryAfterMs` it may be.
 * - `refused`: where the data are does not give or take them: a wrong password, a missing right, a certificate that nobody vouches for, a
 *   schema that was not migrated. Somebody has to change that before another try is worth it.
 * - `superseded`: the version that a snapshot shows is gone; a new snapshot will do, which may come along.
 */
export type CatalogueErrorCode =
  | "invalid_data"
  | "shrunk"
  | "unreadable"
  | "unsupported"
  | "unavailable"
  | "refused"
  | "superseded";

/** What an error tells beside its code. */
export interface CatalogueErrorOptions extends ErrorOptions {
  readonly problems?: readonly RecordProblem[];
  readonly retryAfterMs?: number;
  readonly snapshot?: CatalogueSnapshot;
}

/** A catalogue that could not be loaded, or cannot answer. */
export class CatalogueError extends Error {
  override readonly name = "CatalogueError";
  readonly code: CatalogueErrorCode;
  readonly problems: readonly RecordProblem[];
  /** After how long another try is worth it, where that is known. */
  readonly retryAfterMs: number | undefined;
  /** What to ask in place of a snapshot that is superseded: if it has the answer already, no change can come in between again. */
  readonly snapshot: CatalogueSnapshot | undefined;

  constructor(code: CatalogueErrorCode, message: string, options?: CatalogueErrorOptions) {
    super(message, options);
    this.code = code;
    this.problems = options?.problems ?? [];
    this.retryAfterMs = options?.retryAfterMs;
    this.snapshot = options?.snapshot;
  }
}
