import type { Environment } from "./environment.js";

/** What a change has started, and when what it has ended is over. */
export interface Changed {
  readonly added: readonly Environment[];
  readonly left: Promise<void>;
  /** Whether the environment has begun anew: what it serves is not what it served. */
  readonly isAnew: boolean;
}
