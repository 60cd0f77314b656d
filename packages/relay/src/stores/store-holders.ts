import { RelayError } from "../error.js";
import type { DatabasePlaces } from "./flag-store.js";

const ofPlaces = "give each a place of its own, or put $CID into it";
const ofObjects = "give each an object of its own";

/** Who has what, by server or object, and by the place in it. Each claim is a holder's once more. */
type Held = Map<unknown, Map<string, Set<Claim>>>;

interface Claim {
  readonly holder: StoreHolder;
  readonly environment: string;
}

/** Who keeps what in which stores: no two environments in the same place at the same time, but one after the other. */
export class StoreHolders {
  readonly #held: Held = new Map();

  /** Lets an environment in, until it is `done`. */
  enter(environment: string): StoreHolder {
    return new StoreHolder(environment, this.#held);
  }
}

/**
 * An environment as long as it keeps something. One that is leaving is in nobody's way: whoever takes what it has waits until it has
 * written what it had.
 */
export class StoreHolder {
  readonly #environment: string;
  readonly #held: Held;
  readonly #claims = new Set<() => void>();
  readonly #before = new Set<Promise<void>>();
  readonly #over: Promise<void>;
  #isLeaving = false;
  #end = () => {};
  /** What its stores are told, to take places in databases. */
  readonly places: DatabasePlaces = {
    claim: (server, place, environment) => this.#claim(server, place, environment, ofPlaces),
  };

  constructor(environment: string, held: Held) {
    this.#environment = environment;
    this.#held = held;
    this.#over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Takes a store. Throws when another environment has the same object. */
  take(store: object): void {
    this.#claim(store, "data in the same store", this.#environment, ofObjects);
    // Stores that claim nothing go by the name.
    this.#claim(this.#held, this.#environment, this.#environment, ofPlaces);
  }

  /** Resolves when all those are done that had its name, or something of what it has; absent when nobody is waited for. */
  get turn(): Promise<void> | undefined {
    return this.#before.size === 0 ? undefined : Promise.all(this.#before).then(() => {});
  }

  /** What it has may be taken by others, who wait until it is done; or not any more. */
  stepAside(isLeaving: boolean): void {
    this.#isLeaving = isLeaving;
  }

  /** It writes nothing any more. */
  done(): void {
    this.#isLeaving = true;
    for (const release of this.#claims) release();
    this.#end();
  }

  /** Gives the way to let go of it again. */
  #claim(server: unknown, place: string, environment: string, remedy: string): () => void {
    const places = this.#held.get(server) ?? new Map<string, Set<Claim>>();
    const claims = places.get(place) ?? new Set<Claim>();
    const others = [...claims].filter(({ holder }) => holder !== this);
    const stays = others.find((other) => !other.holder.#isLeaving && other.environment !== environment);
    if (stays !== undefined) {
      throw new RelayError(
        "duplicate",
        `"${environment}" and "${stays.environment}" would overwrite each other's ${place}: ${remedy}`,
      );
    }
    for (const { holder } of others) if (holder.#isLeaving) this.#before.add(holder.#over);
    const claim = { holder: this, environment };
    this.#held.set(server, places.set(place, claims.add(claim)));
    const release = () => {
      this.#claims.delete(release);
      claims.delete(claim);
      if (claims.size === 0 && places.get(place) === claims) places.delete(place);
      if (places.size === 0 && this.#held.get(server) === places) this.#held.delete(server);
    };
    this.#claims.add(release);
    return release;
  }
}
