import type { IsOwnKey } from "./credentials.js";
import type { Environment } from "./environment.js";
import type { EnvironmentStart } from "./environment-start.js";
import type { Identity } from "./key-history.js";
import { KeyRing } from "./key-ring.js";
import type { Metrics } from "./metrics.js";
import { variantName } from "./options/environment-names.js";
import type { ResolvedEnvironment, ResolvedOptions } from "./options/resolved-options.js";

/** What all environments of a relay share. */
export interface RelayParts {
  readonly options: ResolvedOptions;
  readonly metrics: Metrics;
  /** Starts an environment. Throws what a factory of the host throws; then nothing is left open. */
  readonly start: (start: EnvironmentStart) => Environment;
}

/** What the relay and a group tell each other. */
export interface GroupPort {
  /** Throws when what factories of the host have done meanwhile leaves no place for what was started. */
  readonly demandFit: () => void;
  /** Keys have expired. */
  readonly keysChanged: () => void;
  /** Why the group is not as it should be; `undefined` when it is. */
  readonly problem: () => string | undefined;
  readonly isOwnKey: IsOwnKey;
  /** What the group serves, under whichever name. */
  readonly identity: Identity;
  /** Whether what its stores have is something else: nothing of it is served. */
  readonly isStoreStale: boolean;
}

/** An environment and its payload filters: they share settings and keys, and each has flags and streams of its own. */
export class EnvironmentGroup {
  readonly name: string;
  readonly ring: KeyRing;
  readonly #relay: RelayParts;
  readonly #port: GroupPort;
  #settings: ResolvedEnvironment;
  /** By filter; the unfiltered one, under the empty text, comes first. */
  readonly #variants = new Map<string, Environment>();

  /** Throws what a factory of the host throws. */
  constructor(name: string, settings: ResolvedEnvironment, relay: RelayParts, port: GroupPort) {
    this.name = name;
    this.#settings = settings;
    this.#relay = relay;
    this.#port = port;
    this.ring = new KeyRing(relay.options.clock, settings.keys, port.keysChanged);
    this.#add(this.#start(settings, ["", ...settings.filters], port.demandFit));
    this.ring.watch();
  }

  get identity(): Identity {
    return this.#port.identity;
  }

  get isStoreStale(): boolean {
    return this.#port.isStoreStale;
  }

  /** Lets another group of this name take what this one has in stores. If it cannot be made this one keeps that. */
  makingWay<Other>(make: () => Other): Other {
    for (const environment of this.#variants.values()) environment.stepAside(true);
    try {
      return make();
    } catch (error) {
      for (const environment of this.#variants.values()) environment.stepAside(false);
      throw error;
    }
  }

  get settings(): ResolvedEnvironment {
    return this.#settings;
  }

  variant(filter: string): Environment | undefined {
    return this.#variants.get(filter);
  }

  variants(): Environment[] {
    return [...this.#variants.values()];
  }

  /**
   * Applies other settings. Throws what a factory of the host throws for a new filter, and what `demandFit` throws after it; then
   * nothing has changed. `changed` is called when other settings and keys count, before sources for them are made. Gives the
   * environments of filters that have come, and of those that are gone, which the caller closes.
   */
  change(
    settings: ResolvedEnvironment,
    { demandFit, changed }: { readonly demandFit: () => void; readonly changed: () => void },
  ): { readonly added: Environment[]; readonly gone: Environment[] } {
    const filters = new Set(["", ...settings.filters]);
    const started = this.#start(
      settings,
      [...filters].filter((filter) => !this.#variants.has(filter)),
      demandFit,
    );
    const gone = [...this.#variants].filter(([filter]) => !filters.has(filter));
    for (const [filter] of gone) this.#variants.delete(filter);
    const stayed = this.variants();
    const { sdkKey } = this.#settings.keys;
    this.#settings = settings;
    this.ring.replace(settings.keys);
    this.#add(started);
    changed();
    for (const environment of stayed) {
      // What makes a source for the new key may change the group once more, or end it.
      if (environment.closed) continue;
      environment.change(this.#settings);
      if (this.#settings.keys.sdkKey !== sdkKey) environment.useSdkKey(this.#settings.keys.sdkKey);
    }
    return { added: [...started.values()], gone: gone.map(([, environment]) => environment) };
  }

  #add(environments: ReadonlyMap<string, Environment>): void {
    for (const [filter, environment] of environments) this.#variants.set(filter, environment);
  }

  /** Starts all of these or none. */
  #start(
    settings: ResolvedEnvironment,
    filters: readonly string[],
    demandFit: () => void,
  ): Map<string, Environment> {
    const { options, metrics, start } = this.#relay;
    const started = new Map<string, Environment>();
    try {
      for (const key of filters) {
        const filter = key === "" ? undefined : key;
        const name = variantName(this.name, filter);
        const { problem, isOwnKey, identity, isStoreStale } = this.#port;
        const { ring } = this;
        const about = { name, filter, settings, ring, problem, isOwnKey, identity, isStoreStale };
        started.set(key, start({ ...about, options, metrics }));
      }
      demandFit();
    } catch (error) {
      for (const environment of started.values()) {
        environment.meter.close();
        void environment.close({ deadline: Promise.resolve(), spreadMs: 0 });
      }
      throw error;
    }
    return started;
  }
}
