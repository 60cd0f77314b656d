import { Arrivals } from "./arrivals.js";
import { changingPlaces, ownersOf } from "./changing-places.js";
import { nextEndOf } from "./claims.js";
import type { Clock } from "./clock.js";
import { isRelayError, RelayError } from "./error.js";
import type { Logger } from "./logger.js";
import { messageOf } from "./message-of.js";
import type { EnvironmentChanges, EnvironmentOptions } from "./options/options.js";
import type { Shortfall } from "./shortfall.js";
import { type Backoff, createBackoff, slowPauses } from "./sources/backoff.js";
import type { Told } from "./told.js";
import { undisputedOptions } from "./undisputed-options.js";

/** The environments of a relay, as far as a configuration changes them. Each call takes effect at once, or throws. */
export interface EnvironmentsPort {
  addNow(name: string, options: EnvironmentOptions, told: Told): unknown;
  /** `ifAnew` is changed as well where the SDK key opens other flags than the environment has had. */
  updateNow(
    name: string,
    changes: EnvironmentChanges,
    told?: Told,
    ifAnew?: EnvironmentChanges,
  ): { readonly isAnew: boolean };
  /** The keys are unknown at once; what else is left takes its time. */
  remove(name: string): Promise<void>;
  /** Hears of all that are not as they should be, and knows those that are about to be. */
  readonly unserved: {
    replace(shortfalls: ReadonlyMap<string, Shortfall>): void;
    expect(names: ReadonlySet<string>): void;
  };
}

/** An environment as a configuration wants it to be. */
export interface ConfiguredOptions extends EnvironmentOptions, Told {}

/** What a configuration works with. */
export interface ConfiguredParts {
  readonly port: EnvironmentsPort;
  readonly logger: Pick<Logger, "info">;
  readonly clock: Clock;
  readonly random: () => number;
  /** Is told, once, of each environment that cannot be served as it should be. */
  readonly report: (error: RelayError) => void;
}

/** What an update sets when a configuration leaves it out: nothing stays from before. */
const leftOut: EnvironmentChanges = {
  mobileKey: null,
  furtherSdkKeys: [],
  furtherMobileKeys: [],
  secureMode: false,
  ttl: 0,
  allowedOrigins: [],
  allowedHeaders: [],
  filters: [],
  clientStream: "evaluated",
  about: {},
};

/** What starting an environment costs, in characters of flag data: some of them are started in one turn of the event loop. */
const startCost = 32 * 1024;

/**
 * Keeps the environments of a relay as a configuration says that they should be. What cannot be done is tried again, ever more
 * slowly: a store may be there later. What waits for a key of another environment is also tried when that may be free.
 */
export class ConfiguredEnvironments {
  readonly #parts: ConfiguredParts;
  readonly #port: EnvironmentsPort;
  readonly #wanted = new Map<string, ConfiguredOptions>();
  readonly #running = new Map<string, ConfiguredOptions>();
  /** Why some are not as they should be. */
  readonly #failed = new Map<string, unknown>();
  /** Those of which the configuration itself cannot be used. They stay as they were. */
  #broken: ReadonlyMap<string, Shortfall> = new Map();
  /** Why those could not be updated that wait for keys of others. */
  readonly #conflicts = new Map<string, RelayError>();
  /** Those that are to be started, or to get payload filters, in turns; what they should be is looked up when it is theirs. */
  readonly #arrivals: Arrivals;
  /** When keys are to end that some keep because others have their new ones. */
  readonly #ends = new Map<string, number>();
  #backoff: Backoff;
  #cancelRetry = () => {};
  /** Whether something has happened that may help those that failed, and whether they are about to be tried for it. */
  #mayHelp = false;
  #isHelping = false;
  #closed = false;

  constructor(parts: ConfiguredParts) {
    this.#parts = parts;
    this.#port = parts.port;
    this.#arrivals = new Arrivals({
      bring: (name) => this.#bring(name),
      onDone: () => this.#help(),
      isWanted: () => !this.#closed,
    });
    this.#port.unserved.expect(this.#arrivals.names);
    this.#backoff = this.#newBackoff();
  }

  /** How many are served. */
  get size(): number {
    return this.#running.size;
  }

  /**
   * Changes these; `undefined` stands for one that is gone. `broken` are all of which the configuration cannot be used. What is
   * gone or other than before is so at once: no request sees half of it. New ones, and new payload filters, come in as many turns as they
   * need; until then nothing is known to be unknown. Resolves when they are there.
   */
  async apply(
    changes: ReadonlyMap<string, ConfiguredOptions | undefined>,
    broken: ReadonlyMap<string, Shortfall>,
  ): Promise<void> {
    for (const [name, options] of changes) {
      if (options === undefined) this.#wanted.delete(name);
      else this.#wanted.set(name, options);
    }
    this.#broken = broken;
    this.#backoff = this.#newBackoff();
    this.#attempt([...changes.keys()]);
    this.#help();
    await this.#arrivals.over();
  }

  /** Tries those that wait for a key or a name of another one, once for all changes of this turn: there may be many of both. */
  #help(): void {
    if (this.#isHelping || !this.#mayHelp) return;
    this.#isHelping = true;
    setImmediate(() => {
      this.#isHelping = false;
      this.#mayHelp = false;
      const due = [...this.#failed].flatMap(([name, error]) => (isTaken(error) ? [name] : []));
      if (!this.#closed && due.length > 0) this.#attempt(due);
    });
  }

  /** Tries nothing any more; the environments stay as they are. */
  close(): void {
    this.#closed = true;
    this.#cancelRetry();
  }

  #newBackoff(): Backoff {
    const { clock, random } = this.#parts;
    return createBackoff({ ...slowPauses, random, monotonic: () => clock.monotonic() });
  }

  /** Makes these what they should be, as far as that can be done now. */
  #attempt(due: readonly string[]): void {
    for (const name of due) {
      this.#ends.delete(name);
      this.#arrivals.names.delete(name);
    }
    for (const name of due) {
      if (this.#wanted.has(name)) continue;
      if (this.#running.has(name)) this.#parts.logger.info(`environment ${JSON.stringify(name)} is removed`);
      this.#remove(name);
    }
    // A key may go from one to another which comes earlier. What is left then are keys that change places, and keys of others.
    const waiting = this.#updateAll(this.#updateAll(due));
    const swapping = changingPlaces(waiting, this.#wanted, this.#running, this.#parts.clock.now());
    for (const name of swapping) this.#remove(name);
    for (const name of swapping) this.#add(name);
    for (const name of due)
      if (this.#wanted.has(name) && !this.#running.has(name)) this.#arrivals.names.add(name);
    // The others wait until their keys are free.
    for (const name of this.#updateAll(waiting)) this.#fail(name, this.#conflicts.get(name));
    this.#conflicts.clear();
    this.#settleForLess(due.filter((name) => this.#failed.has(name) && this.#running.has(name)));
    this.#tellOfFailed();
    this.#arrivals.start();
  }

  /** Gives what it has cost. */
  #bring(name: string): number {
    const [wanted, running] = [this.#wanted.get(name), this.#running.get(name)];
    if (wanted === undefined) return 0;
    const before = running === undefined ? 0 : 1 + (running.filters?.length ?? 0);
    const failed = this.#failed.size;
    if (running === undefined) this.#add(name);
    else this.#addFilters(name, wanted);
    if (this.#failed.size !== failed) this.#tellOfFailed();
    return startCost * (1 + (wanted.filters?.length ?? 0) - before);
  }

  #tellOfFailed(): void {
    this.#port.unserved.replace(this.#shortfalls());
    this.#attemptLater();
  }

  #attemptLater(): void {
    this.#cancelRetry();
    if (this.#closed || this.#failed.size === 0) return;
    const retry = () => {
      this.#attempt([...this.#failed.keys()]);
      this.#help();
    };
    const { clock } = this.#parts;
    const now = clock.now();
    // One that waits for a key may have it when that ends for another.
    const untilEnd = Math.min(...this.#ends.values(), nextEndOf(this.#running.values(), now)) - now;
    this.#cancelRetry = clock.schedule(Math.min(this.#backoff.nextMs(), Math.max(untilEnd, 0)), retry);
  }

  #shortfalls(): ReadonlyMap<string, Shortfall> {
    const failed = [...this.#failed].map(
      ([name, error]) => [name, { wanted: this.#wanted.get(name) ?? {}, error }] as const,
    );
    return new Map([...failed, ...this.#broken]);
  }

  /** Gives those whose keys or names others still have. */
  #updateAll(names: readonly string[]): readonly string[] {
    return names.filter((name) => {
      const wanted = this.#wanted.get(name);
      const running = this.#running.get(name);
      if (wanted === undefined || running === undefined) return false;
      return this.#update(name, wanted, running) === "in the way";
    });
  }

  /** Takes what nothing stands against of what these should be: a key that has been replaced must not go on working for the rest. */
  #settleForLess(names: readonly string[]): void {
    const now = this.#parts.clock.now();
    const owners = names.length === 0 ? undefined : ownersOf(this.#running, now);
    for (const name of names) {
      const [wanted, running] = [this.#wanted.get(name), this.#running.get(name)];
      if (wanted === undefined || running === undefined) continue;
      const isOthers = (claim: string) => (owners?.get(claim) ?? name) !== name;
      const { options, until } = undisputedOptions(wanted, running, isOthers);
      if (until <= now) this.#takeDown(name);
      else {
        this.#ends.set(name, until);
        const { mobileKey: _, ...others } = wanted;
        const { origin, ownSdkKeys } = options.sdkKey === wanted.sdkKey ? wanted : running;
        this.#take(name, { ...others, ...options, origin, ownSdkKeys }, running);
      }
    }
  }

  /** Serves an environment no more that has no key which may still be used. It stays one of those that failed. */
  #takeDown(name: string): void {
    const error = this.#failed.get(name);
    this.#remove(name);
    this.#failed.set(name, error);
  }

  #take(name: string, options: ConfiguredOptions, running: ConfiguredOptions): void {
    if (JSON.stringify(options) === JSON.stringify(running)) return;
    const { envId: _, source: __, store: ___, bigSegments: ____, origin, ownSdkKeys, ...changes } = options;
    try {
      // A mobile key that only stays because the new one is another's does not open the flags of another environment.
      const stays = options.mobileKey !== this.#wanted.get(name)?.mobileKey;
      const ifAnew = stays ? { mobileKey: null } : {};
      const { isAnew } = this.#port.updateNow(
        name,
        { ...leftOut, ...changes },
        { origin, ownSdkKeys },
        ifAnew,
      );
      const { mobileKey: _____, ...others } = options;
      this.#running.set(name, isAnew && stays ? others : options);
      // It may be that another one waits for a key that this one had.
      this.#mayHelp = true;
    } catch {
      // It stays as it was; why it is not as it should be is known.
    }
  }

  #update(
    name: string,
    wanted: ConfiguredOptions,
    running: ConfiguredOptions,
  ): "done" | "failed" | "in the way" {
    const { envId, source, store, bigSegments, origin, ownSdkKeys, ...changes } = wanted;
    if (
      envId !== running.envId ||
      source !== running.source ||
      store !== running.store ||
      bigSegments !== running.bigSegments
    ) {
      this.#remove(name);
      return "done";
    }
    const filters = wanted.filters?.filter((filter) => running.filters?.includes(filter)) ?? [];
    try {
      this.#port.updateNow(name, { ...leftOut, ...changes, filters }, { origin, ownSdkKeys });
    } catch (error) {
      if (isTaken(error)) {
        this.#conflicts.set(name, error);
        return "in the way";
      }
      this.#fail(name, error);
      return "failed";
    }
    if (filters.length === (wanted.filters?.length ?? 0)) this.#serve(name, wanted);
    else {
      this.#running.set(name, { ...wanted, filters });
      this.#mayHelp = true;
      this.#arrivals.names.add(name);
    }
    return "done";
  }

  /** Adds the payload filters that one is to get. */
  #addFilters(name: string, wanted: ConfiguredOptions): void {
    try {
      this.#port.updateNow(name, { filters: wanted.filters ?? [] });
      this.#serve(name, wanted);
    } catch (error) {
      this.#fail(name, error);
    }
  }

  #add(name: string): void {
    const wanted = this.#wanted.get(name);
    if (wanted === undefined || this.#running.has(name)) return;
    try {
      const { origin, ownSdkKeys, ...options } = wanted;
      this.#port.addNow(name, options, { origin, ownSdkKeys });
      this.#serve(name, wanted);
    } catch (error) {
      this.#fail(name, error);
    }
  }

  #remove(name: string): void {
    this.#failed.delete(name);
    if (!this.#running.delete(name)) return;
    this.#mayHelp = true;
    this.#port.remove(name).catch((error: unknown) => this.#report(name, "be removed", error));
  }

  #serve(name: string, options: ConfiguredOptions): void {
    this.#running.set(name, options);
    this.#mayHelp = true;
    if (this.#failed.delete(name))
      this.#parts.logger.info(`environment ${JSON.stringify(name)} is served as it should be`);
  }

  #fail(name: string, error: unknown): void {
    const known = this.#failed.has(name) && messageOf(this.#failed.get(name)) === messageOf(error);
    this.#failed.set(name, error);
    if (!known) this.#report(name, "be served as it should be", error);
  }

  #report(name: string, what: string, error: unknown): void {
    const message = `environment ${JSON.stringify(name)} cannot ${what}: ${messageOf(error)}`;
    const code = isRelayError(error) ? error.code : "invalid_options";
    this.#parts.report(new RelayError(code, message, { cause: error }));
  }
}

/** Whether another environment has what one wants to have. */
function isTaken(error: unknown): error is RelayError {
  return isRelayError(error) && error.code === "duplicate";
}
