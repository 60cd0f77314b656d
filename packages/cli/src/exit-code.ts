/** How the program ends: 0 for well, 1 for "it found errors" or "the run failed", 2 for a wrong use, 130 when it was interrupted. */
export type ExitCode = 0 | 1 | 2 | 130;

/** A wrong use: its message is all that the user sees. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
