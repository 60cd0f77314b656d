/** What a text in JSON or YAML says, and where. */
export interface LocatedText {
  readonly value: unknown;
  /** The line of a place, or of the nearest one around it that is known. */
  lineOf(path: readonly string[]): number;
  /** What can be read, and is not what its author meant. */
  readonly problems: readonly LocatedProblem[];
}

/** A sentence about a line. */
export interface LocatedProblem {
  readonly line: number;
  readonly message: string;
}
