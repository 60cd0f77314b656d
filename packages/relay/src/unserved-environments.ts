import type { EnvironmentKeys } from "./credentials.js";
import { isRelayError } from "./error.js";
import { KeyRing } from "./key-ring.js";
import { newEnvironment, readableEnvironment } from "./options/read-environment.js";
import type { ResolvedEnvironment, ResolvedOptions } from "./options/resolved-options.js";
import type { Shortfall } from "./shortfall.js";
import { createConnectionState } from "./sources/connection-state.js";
import type { StatusOfEnvironment } from "./status-document.js";

/**
 * The environments that a configuration names and that are not served as it says: not at all, or as they were before. Their
 * credentials are not unknown: SDKs that meet an unknown one stop for good.
 */
export class UnservedEnvironments {
  readonly #options: ResolvedOptions;
  #known = new Map<string, UnservedEnvironment>();
  #expected: ReadonlySet<string> = new Set();

  constructor(options: ResolvedOptions) {
    this.#options = options;
  }

  /** Puts these in place of all of them. */
  replace(shortfalls: ReadonlyMap<string, Shortfall>): void {
    const entries = [...shortfalls].map(([name, shortfall]) => {
      const entry = this.#known.get(name) ?? new UnservedEnvironment(name, this.#options);
      entry.note(shortfall);
      return [name, entry] as const;
    });
    this.#known = new Map(entries);
  }

  /** These are about to be served, as they are at any time: until they are, no credential and no filter is known to be unknown. */
  expect(names: ReadonlySet<string>): void {
    this.#expected = names;
  }

  /** Those that are about to be served, as it should be. */
  get expected(): ReadonlySet<string> {
    return this.#expected;
  }

  /** This one is served now. */
  forget(name: string): void {
    this.#known.delete(name);
  }

  /** Whether a credential, as its digest, is one of theirs at this moment, or may be. */
  knows(digest: string): boolean {
    if (this.#expected.size > 0) return true;
    for (const entry of this.#known.values()) if (entry.accepts(digest)) return true;
    return false;
  }

  /** Whether an environment should have a payload filter, or may be about to. */
  wantsFilter(name: string, filter: string): boolean {
    return this.#expected.has(name) || this.#known.get(name)?.settings.filters.includes(filter) === true;
  }

  /** Why an environment is not served as it should be, in a sentence that everybody may read. */
  problemOf(name: string): string | undefined {
    return this.#known.get(name)?.problem;
  }

  entries(): StatusOfEnvironment[] {
    return [...this.#known.values()];
  }
}

/** What is to be said of one of them as long as nothing of it is served. */
class UnservedEnvironment implements StatusOfEnvironment {
  readonly name: string;
  readonly relayOptions: ResolvedOptions;
  readonly sources: StatusOfEnvironment["sources"];
  readonly store: StatusOfEnvironment["store"];
  readonly bigSegments = undefined;
  readonly #connection;
  #settings: ResolvedEnvironment = newEnvironment;
  #ring: KeyRing;
  #problem = "";
  #shortfall: Shortfall | undefined;

  constructor(name: string, options: ResolvedOptions) {
    const { clock } = options;
    const connection = createConnectionState(clock);
    this.name = name;
    this.relayOptions = options;
    this.#connection = connection;
    this.sources = {
      everDelivered: false,
      knownSdkKey: undefined,
      get status() {
        return connection.status;
      },
      get lostMs() {
        return connection.lostMs;
      },
    };
    this.store = { status: { state: "INITIALIZING", stateSince: clock.now() }, about: undefined };
    this.#ring = new KeyRing(clock, newEnvironment.keys, () => {});
  }

  get settings(): ResolvedEnvironment {
    return this.#settings;
  }

  get keys(): EnvironmentKeys {
    return this.#ring.keys;
  }

  get problem(): string {
    return this.#problem;
  }

  accepts(digest: string): boolean {
    return this.#ring.accepts(digest);
  }

  note(shortfall: Shortfall): void {
    const { wanted, error } = shortfall;
    if (wanted === this.#shortfall?.wanted && error === this.#shortfall.error) return;
    this.#shortfall = shortfall;
    this.#settings = readableEnvironment(wanted);
    this.#ring = new KeyRing(this.relayOptions.clock, this.#settings.keys, () => {});
    this.#problem = sentenceOf(error);
    const isMalformed = isRelayError(error) && error.code === "malformed_data";
    this.#connection.interrupted(isMalformed ? "INVALID_DATA" : "UNKNOWN");
  }
}

/** What a function of the host throws may have anything in it: passwords, too. */
function sentenceOf(error: unknown): string {
  return isRelayError(error)
    ? error.problems.join("; ")
    : "a function of the host has thrown; the log has what";
}
