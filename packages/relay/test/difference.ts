import type { Observation, ReplayedStep } from "./replay.js";

/** A behaviour in which this relay differs from the recorded one on purpose. */
export interface Difference {
  readonly id: string;
  /** What the reference does. */
  readonly reference: string;
  /** What this relay does. */
  readonly here: string;
  readonly reason: string;
  /** Turns what was recorded into what is expected here; gives what it got where it has nothing to say. */
  readonly adjust: (recorded: Observation, step: ReplayedStep) => Observation;
}
