/** Something about a flag or a segment that cannot be meant, with its place in it. */
export interface ItemProblem {
  readonly path: readonly string[];
  readonly message: string;
}
