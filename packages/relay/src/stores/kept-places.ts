/** How many places are remembered. */
const most = 10_000;

/** Whose data are somewhere: what an environment of upstream has, with one payload filter. */
export interface Keeper {
  readonly identity: symbol | string;
  readonly filter: string | undefined;
}

/** Whose data are where, as far as this relay knows: those of whoever has last put a full set there, or was there first. */
export class KeptPlaces {
  /** Those that were noted last at the end. */
  readonly #keepers = new Map<string, Keeper>();
  readonly #names = new WeakMap<object, number>();
  #named = 0;

  /** What stands for a place from now on. */
  nameOf(server: unknown, place: string): string {
    return JSON.stringify([
      typeof server === "object" || typeof server === "function" ? this.#numberOf(server) : String(server),
      place,
    ]);
  }

  /** Who is known to have data there. */
  keeperOf(place: string): Keeper | undefined {
    return this.#keepers.get(place);
  }

  note(place: string, keeper: Keeper): void {
    this.#keepers.delete(place);
    this.#keepers.set(place, keeper);
    const [oldest] = this.#keepers.keys();
    if (this.#keepers.size > most && oldest !== undefined) this.#keepers.delete(oldest);
  }

  #numberOf(server: object | null): number {
    if (server === null) return 0;
    const known = this.#names.get(server) ?? ++this.#named;
    this.#names.set(server, known);
    return known;
  }
}
