import { RelayError } from "../error.js";
import type { DatabasePlaces } from "./flag-store.js";
import { type Keeper, KeptPlaces } from "./kept-places.js";

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
  readonly #kept = new KeptPlaces();

  /** Lets an environment in, until it is `done`. `keeper` tells what it has from what others have that come under its name. */
  enter(environment: string, keeper: Keeper = { identity: environment, filter: undefined }): StoreHolder {
    return new StoreHolder(environment, keeper, this.#held, this.#kept);
  }
}

/** Some places that an environment has taken. */
export interface TakenPlaces {
  /** Whether others have left something there, as far as is known. */
  readonly isOfOthers: boolean;
  /** What is there is the environment's own, unless it is known to be of others. */
  settle(): void;
  /** Everything there has been replaced by what the environment has. */
  replaced(): void;
}

/**
 * An environment as long as it keeps something. One that is leaving is in nobody's way: whoever takes what it has waits until it has
 * written what it had.
 */
export class StoreHolder {
  readonly #environment: string;
  readonly #keeper: Keeper;
  readonly #held: Held;
  readonly #kept: KeptPlaces;
  /** What was taken since that was last asked for. */
  #taken = new Set<string>();
  readonly #claims = new Set<() => void>();
  readonly #before = new Set<Promise<void>>();
  readonly #over: Promise<void>;
  #isLeaving = false;
  #end = () => {};
  /** What its stores are told, to take places in databases. */
  readonly places: DatabasePlaces = {
    claim: (server, place, environment) => this.#claim(server, place, environment, ofPlaces),
  };

  constructor(environment: string, keeper: Keeper, held: Held, kept: KeptPlaces) {
    this.#environment = environment;
    this.#keeper = keeper;
    this.#held = held;
    this.#kept = kept;
    this.#over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Takes a store. Throws when another environment has the same object. */
  take(store: object): void {
    const claimed = new Set(this.#taken);
    this.#claim(store, "data in the same store", this.#environment, ofObjects);
    // Stores that claim nothing go by the name.
    this.#claim(this.#held, this.#environment, this.#environment, ofPlaces);
    if (claimed.size > 0) this.#taken = claimed;
  }

  /** What was taken since this was asked for last. */
  takenSince(): TakenPlaces {
    const [kept, keeper, taken] = [this.#kept, this.#keeper, [...this.#taken]];
    this.#taken = new Set();
    const isOfOthers = taken.some((place) => {
      const { identity, filter } = kept.keeperOf(place) ?? keeper;
      return identity !== keeper.identity || filter !== keeper.filter;
    });
    const note = (places: readonly string[]) => {
      for (const place of places) kept.note(place, keeper);
    };
    return {
      isOfOthers,
      settle: () => note(taken.filter((place) => kept.keeperOf(place) === undefined)),
      replaced: () => note(taken),
    };
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
    this.#taken.add(this.#kept.nameOf(server, place));
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
