/** How much speaks for it that the content is at fault, and when that is enough: after three flushes, or twelve. */
export const doubtsOf = { content: 4, server: 1 } as const;
export const enoughDoubts = 12;

/** A post that has failed, and failed before. */
interface Doubted {
  readonly doubts: number;
  /** How many posts upstream had taken when this one failed last. */
  readonly takenBefore?: number;
}

/** What became of it. */
interface Failure {
  readonly kind: string;
  readonly fault?: keyof typeof doubtsOf;
}

/**
 * How much speaks for it that a post that has failed will always fail. A fault of the server says something only when it has
 * taken others since.
 *
 * @param taken  how many posts upstream has taken
 */
export function doubtsAbout({ doubts, takenBefore }: Doubted, { fault }: Failure, taken: number): number {
  const counts = fault === "content" || (fault === "server" && taken > (takenBefore ?? taken));
  return counts ? doubts + doubtsOf[fault] : doubts;
}
