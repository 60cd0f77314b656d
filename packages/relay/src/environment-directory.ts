import type { Clock } from "./clock.js";
import { acceptedCredentials, credentialDigest } from "./credentials.js";
import { RelayError } from "./error.js";
import type { KeyRing } from "./key-ring.js";
import { variantNames } from "./options/environment-names.js";
import type { ResolvedEnvironment } from "./options/resolved-options.js";

/** Something with a name, which its payload filters extend, and with keys. */
export interface DirectoryEntry {
  readonly name: string;
  readonly settings: ResolvedEnvironment;
  readonly ring: KeyRing;
}

/** What leads to an entry. */
export interface LeadingTo {
  readonly digests: readonly string[];
  readonly variants: readonly string[];
}

/** What leads to an entry now. */
export function leadingTo({ name, settings, ring }: DirectoryEntry): LeadingTo {
  return { digests: ring.digests(), variants: variantNames(name, settings) };
}

/** Environments by name and by credential, each of which leads to one of them only. */
export class EnvironmentDirectory<Entry extends DirectoryEntry> {
  readonly #clock: Clock;
  readonly #byName = new Map<string, Entry>();
  readonly #byCredential = new Map<string, Entry>();
  /** With payload filters: there may be thousands, and each that comes is compared with all of them. */
  readonly #byVariant = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  names(): string[] {
    return [...this.#byName.keys()];
  }

  entries(): Entry[] {
    return [...this.#byName.values()];
  }

  get(name: string): Entry | undefined {
    return this.#byName.get(name);
  }

  /** The one that a credential, as its digest, leads to at this moment. */
  find(digest: string): Entry | undefined {
    const entry = this.#byCredential.get(digest);
    return entry?.ring.accepts(digest) ? entry : undefined;
  }

  /** Throws a `RelayError` (`duplicate`) when that is the name of one that is here, or has a name or credential of another one. */
  refuseTaken(name: string, settings: ResolvedEnvironment): void {
    if (this.#byName.has(name)) throw taken(name);
    this.refuseOthers(name, settings);
  }

  /** As `refuseTaken`, for one that is here already. */
  refuseOthers(name: string, settings: ResolvedEnvironment): void {
    for (const { kind, value } of acceptedCredentials(settings.keys, this.#clock.now())) {
      const owner = this.find(credentialDigest(kind, value));
      if (owner !== undefined && owner.name !== name)
        throw new RelayError("duplicate", `environment ${JSON.stringify(owner.name)} has the same ${kind}`);
    }
    for (const variant of variantNames(name, settings))
      if ((this.#byVariant.get(variant)?.name ?? name) !== name) throw taken(variant);
  }

  /** Takes one in; its credentials lead to it. */
  add(entry: Entry): void {
    this.#byName.set(entry.name, entry);
    this.index(entry);
  }

  /** Lets the names of an entry, and the credentials that are accepted now, lead to it. */
  index(entry: Entry): void {
    for (const variant of variantNames(entry.name, entry.settings)) this.#byVariant.set(variant, entry);
    for (const digest of entry.ring.digests())
      if (entry.ring.accepts(digest)) this.#byCredential.set(digest, entry);
  }

  /** Lets what leads to an entry do so no more; credentials that have expired may lead to another one by now. */
  forget(entry: Entry, led: LeadingTo): void {
    for (const digest of led.digests)
      if (this.#byCredential.get(digest) === entry) this.#byCredential.delete(digest);
    for (const variant of led.variants)
      if (this.#byVariant.get(variant) === entry) this.#byVariant.delete(variant);
  }

  delete(entry: Entry): void {
    this.#byName.delete(entry.name);
    this.forget(entry, leadingTo(entry));
  }
}

function taken(name: string): RelayError {
  return new RelayError("duplicate", `there is an environment ${JSON.stringify(name)}`);
}
