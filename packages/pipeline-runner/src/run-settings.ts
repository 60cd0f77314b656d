import type { Profile, RunFacts } from "@wye/pipeline-resolver";

/** What holds for all tasks of a run. */
export interface RunSettings {
  readonly profile: Profile;
  /** What becomes of the other tasks of a DAG when one has failed. */
  readonly afterFailure: "continue" | "stop";
  /** What placeholders can say about the run. */
  readonly facts: RunFacts;
  /** The folder below which outputs go. */
  readonly root: string;
  readonly limits: RunLimits;
}

/** How large a run may become: a specification of one line can ask for millions of iterations, or for itself. */
export interface RunLimits {
  /** Tasks and iterations together; 1,000,000 by default. */
  readonly tasks: number;
  /** DAGs and loops inside each other; 100 by default. */
  readonly depth: number;
}

export const defaultLimits: RunLimits = { tasks: 1_000_000, depth: 100 };
