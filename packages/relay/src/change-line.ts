import type { Steps } from "@wye/flag-evaluator";
import { givenUp, inTurns } from "./steps.js";

/**
 * Takes the changes of an environment one after the other, whoever they come from: a small one at once, a large one in turns
 * of the event loop, while those that come after it wait.
 */
export class ChangeLine {
  /** The end of the last change, while one is under way. */
  #last: Promise<unknown> | undefined;

  /**
   * Takes a change as long as it is wanted; gives a promise when that is not done yet. What `begin` throws is thrown, or
   * rejects.
   */
  take(begin: () => Steps<void>, isWanted: () => boolean): Promise<unknown> | undefined {
    const run = () => (isWanted() ? inTurns(begin(), isWanted) : givenUp);
    const taken = this.#last === undefined ? run() : this.#last.then(run);
    if (!(taken instanceof Promise)) return undefined;
    const last = taken
      .catch(() => {})
      .then(() => {
        if (this.#last === last) this.#last = undefined;
      });
    this.#last = last;
    return taken;
  }
}
