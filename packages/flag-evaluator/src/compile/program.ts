import { bigSegmentsStatuses, type Outcome, withStatus } from "./outcome.js";

/** One share of a rollout. */
export interface Share {
  /** The hash at which it ends. */
  readonly limit: number;
  readonly outcome: number;
}

/** How many numbers there are for one share. */
export const shareWords = 2;

/** In place of a variation: it has none that counts, or is off. */
const GIVES_NONE = -1;
/** In place of a variation: what needs it cannot be evaluated either. */
export const GIVES_FATAL = -2;

/**
 * Flags as numbers, one behind the other; `flag-code.ts` says what they mean. What an evaluation reads of a flag is
 * little, and stands close together: going through objects instead takes most of its time waiting for memory.
 */
export class Program {
  code: Int32Array<ArrayBuffer> = new Int32Array(1024);
  /** Of the shares of all rollouts, one behind the other: the limit, and the outcome. */
  readonly shares: number[] = [];
  /** What each outcome gives to flags that have its flag as a prerequisite: a variation, or one of the marks. */
  readonly gives: number[] = [];
  /** The status of each outcome. */
  readonly statuses: number[] = [];
  readonly #outcomes: Outcome[] = [];
  /** The same outcomes with other statuses. */
  readonly #variants = new Map<number, number>();
  #length = 0;

  /** How much of the code is used. */
  get length(): number {
    return this.#length;
  }

  /** Adds code; gives the place where it begins. */
  append(words: readonly number[]): number {
    const at = this.#length;
    this.#length += words.length;
    if (this.#length > this.code.length) {
      const grown = new Int32Array(2 * this.#length);
      grown.set(this.code);
      this.code = grown;
    }
    this.code.set(words, at);
    return at;
  }

  /** Adds an outcome; gives its number. */
  addOutcome(outcome: Outcome): number {
    const { fatal, reason, variation, status } = outcome;
    this.gives.push(fatal ? GIVES_FATAL : reason.kind === "OFF" ? GIVES_NONE : variation);
    this.statuses.push(status);
    return this.#outcomes.push(outcome) - 1;
  }

  /** Adds a rollout; gives the decision for it. */
  addRollout(kindMissing: number, shares: readonly Share[], bucketing: readonly number[]): number {
    const first = this.shares.length;
    for (const { limit, outcome } of shares) this.shares.push(limit, outcome);
    return ~this.append([kindMissing, first, this.shares.length - shareWords, ...bucketing]);
  }

  /** The outcome with that number. */
  outcome(number: number): Outcome {
    // Numbers come from `addOutcome`.
    return this.#outcomes[number] as Outcome;
  }

  /** The number of the same outcome when big segments were asked on the way. */
  withStatus(number: number, status: number): number {
    const key = number * bigSegmentsStatuses.length + status;
    const variant = this.#variants.get(key) ?? this.addOutcome(withStatus(this.outcome(number), status));
    this.#variants.set(key, variant);
    return variant;
  }
}
