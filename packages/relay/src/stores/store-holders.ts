import { RelayError } from "../error.js";

/** The right of an environment to a store. */
export interface StoreHold {
  /** Resolves when what had the name of the environment before is done with its store; absent when nothing is to be waited for. */
  readonly turn: Promise<void> | undefined;
  /** The environment is done with the store. */
  release(): void;
}

/**
 * Which environments of a relay use which stores: no two the same object, and none its store while an environment that had
 * the name before, and may write to the same place, is still at it.
 */
export class StoreHolders {
  readonly #holders = new Map<object, { readonly environment: string; holds: number }>();
  /** When the last store of each name is done with. */
  readonly #turns = new Map<string, Promise<void>>();

  /** Throws when another environment has the store. */
  hold(environment: string, store: object): StoreHold {
    const holder = this.#holders.get(store) ?? { environment, holds: 0 };
    if (holder.environment !== environment) {
      throw new RelayError(
        "duplicate",
        `"${environment}" and "${holder.environment}" would overwrite each other's data in the same store: give each an object of its own`,
      );
    }
    holder.holds++;
    this.#holders.set(store, holder);
    let end = () => {};
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    const turn = this.#turns.get(environment);
    this.#turns.set(environment, done);
    let released = false;
    return {
      turn,
      release: () => {
        if (released) return;
        released = true;
        if (--holder.holds === 0) this.#holders.delete(store);
        if (this.#turns.get(environment) === done) this.#turns.delete(environment);
        end();
      },
    };
  }
}
