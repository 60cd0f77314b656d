import type { BigSegments as Answers, Context, Evaluator } from "@wye/flag-evaluator";

/** Who is in which big segments, as far as evaluations ask. */
export interface Members {
  /** How often what was known has become doubtful: what was asked for under an earlier number is to be asked for again. */
  readonly revision: number;
  /** The context keys that an evaluation has to know about and does not yet. */
  missing(evaluator: Evaluator, context: Context, known?: Answers): readonly string[];
  /** What is known of contexts by their keys: at once, or when the store has been asked. Never rejects. */
  read(contextKeys: readonly string[]): Answers | Promise<Answers>;
}
