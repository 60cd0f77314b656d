import type { Steps } from "@wye/flag-evaluator";
import { inTurns } from "./steps.js";

/** What arrivals need of whoever they are for. */
export interface ArrivalsParts {
  /** Does what is to be done for one, and gives what that has cost, in what `inTurns` counts. */
  readonly bring: (name: string) => number;
  /** Is told when nobody is left. */
  readonly onDone: () => void;
  readonly isWanted: () => boolean;
}

/**
 * Brings one after another, in as many turns of the event loop as that takes: between two turns requests are answered. Those that come
 * meanwhile are behind those that are there.
 */
export class Arrivals {
  /** Those that are still to be brought. */
  readonly names: Set<string> = new Set();
  readonly #parts: ArrivalsParts;
  #end: Promise<unknown> | undefined;

  constructor(parts: ArrivalsParts) {
    this.#parts = parts;
  }

  /** Begins, unless it has begun. */
  start(): void {
    if (this.#end !== undefined || this.names.size === 0) return;
    const end = inTurns(this.#bringEach(), this.#parts.isWanted);
    if (end instanceof Promise)
      this.#end = end.finally(() => {
        this.#end = undefined;
      });
  }

  /** Resolves when nobody is left. */
  async over(): Promise<void> {
    await this.#end;
  }

  *#bringEach(): Steps<void> {
    for (const name of this.names) {
      this.names.delete(name);
      yield this.#parts.bring(name);
    }
    this.#parts.onDone();
  }
}
