import {
  type AcceptedKey,
  acceptedCredentials,
  type CredentialKind,
  credentialDigest,
  type EnvironmentKeys,
} from "./credentials.js";
import { createDeadline } from "./deadline.js";
import type { Ending, Environment } from "./environment.js";
import { EnvironmentGroup, type RelayParts } from "./environment-group.js";
import { RelayError } from "./error.js";
import type { Selection } from "./http/selection.js";
import { demandMembers, demandName } from "./options/call-arguments.js";
import { type Duration, parseDuration } from "./options/duration.js";
import { variantNames } from "./options/environment-names.js";
import type { EnvironmentChanges, EnvironmentOptions } from "./options/options.js";
import { resolveChanges, resolveEnvironment } from "./options/resolve-environment.js";
import type { ResolvedEnvironment } from "./options/resolved-options.js";
import { isReady } from "./ready-policy.js";

/** New keys of an environment; what is left out stays. */
export interface NewKeys {
  readonly sdkKey?: string;
  readonly mobileKey?: string;
}

/** How keys are replaced. */
export interface RotationOptions {
  /** How long the old keys are accepted beside the new ones. Default: not at all. */
  readonly overlap?: Duration;
}

/** The environments of a running relay. All of it throws a `RelayError` with the code `closed` once the relay is closed. */
export interface Environments {
  /** The names, payload filters not included. */
  names(): string[];
  /** Adds an environment; resolves when it has data, is refused, or `initTimeout` has passed. */
  add(name: string, options: EnvironmentOptions): Promise<void>;
  /**
   * Changes what an environment was added with. Streams that are still allowed stay open; those of keys and filters that
   * are gone end. Resolves when filters that are new have data, are refused, or `initTimeout` has passed.
   */
  update(name: string, changes: EnvironmentChanges): Promise<void>;
  /** Removes an environment: its keys are unknown at once, its streams end. */
  remove(name: string): Promise<void>;
  /**
   * Replaces keys. The new ones are accepted at once and requests go on being served with the flags at hand; the old ones
   * are accepted for the overlap, and then the streams that were opened with them end. A restart forgets the overlap:
   * give a key that outlives one as a further key with `expires`.
   */
  rotateKey(name: string, keys: NewKeys, options?: RotationOptions): void;
}

/** How long the waiting events of a removed environment may take. */
const removalMs = 5000;

/** The environments of one relay, found by name and by credential. */
export class EnvironmentRegistry implements Environments {
  readonly #relay: RelayParts;
  readonly #groups = new Map<string, EnvironmentGroup>();
  readonly #byCredential = new Map<string, EnvironmentGroup>();
  /** Those that were removed and are not over yet. */
  readonly #leaving = new Set<Environment>();
  #closed = false;

  constructor(relay: RelayParts) {
    this.#relay = relay;
  }

  names(): string[] {
    return [...this.#groups.keys()];
  }

  all(): Environment[] {
    return [...this.#groups.values()].flatMap((group) => group.variants());
  }

  /** Whether there is data for as many as the host wants to have. */
  isReady(): boolean {
    const candidates = [...this.#groups.values()].flatMap((group) =>
      group.variants().map(({ phase }) => ({ group: group.name, phase })),
    );
    return isReady(this.#relay.options.ready, candidates);
  }

  find(kind: CredentialKind, credential: string, filter: string): Selection {
    const digest = credentialDigest(kind, credential);
    const group = this.#byCredential.get(digest);
    if (group === undefined || !group.ring.accepts(digest)) return { kind: "unknown" };
    const environment = group.variant(filter);
    return environment === undefined ? { kind: "unknown-filter" } : { kind: "found", environment, digest };
  }

  /** Whether a credential, as its digest, leads anywhere now. */
  knows(digest: string): boolean {
    return this.#byCredential.get(digest)?.ring.accepts(digest) === true;
  }

  /** Starts an environment. Throws what a factory of the host throws; then it is not there. */
  start(name: string, settings: ResolvedEnvironment): readonly Environment[] {
    const group = new EnvironmentGroup(name, settings, this.#relay, () => this.#index(group));
    this.#groups.set(name, group);
    this.#index(group);
    return group.variants();
  }

  async add(name: string, options: EnvironmentOptions): Promise<void> {
    await allSettled(this.addNow(name, options));
  }

  /** As `add`, waiting for nothing; gives what has been started. */
  addNow(name: string, options: EnvironmentOptions): readonly Environment[] {
    demandName("environments.add", name);
    const settings = resolveEnvironment(name, options);
    this.#demandOpen();
    if (this.#groups.has(name))
      throw new RelayError("duplicate", `there is an environment ${JSON.stringify(name)}`);
    this.#refuseTaken(name, settings);
    return this.start(name, settings);
  }

  async update(name: string, changes: EnvironmentChanges): Promise<void> {
    const { added, left } = this.updateNow(name, changes);
    await Promise.all([allSettled(added), left]);
  }

  /** As `update`, waiting for nothing; gives what has been started, and when what has been ended is over. */
  updateNow(
    name: string,
    changes: EnvironmentChanges,
  ): { added: readonly Environment[]; left: Promise<void> } {
    const group = this.#group("update", name);
    const { added, gone } = this.#change(group, resolveChanges(name, changes, group.settings));
    return { added, left: this.#leave(gone) };
  }

  async remove(name: string): Promise<void> {
    const group = this.#group("remove", name);
    this.#groups.delete(name);
    this.#forget(group, group.ring.digests());
    group.ring.revoke();
    await this.#leave(group.variants());
  }

  rotateKey(name: string, keys: NewKeys, options: RotationOptions = {}): void {
    const group = this.#group("rotateKey", name);
    const { sdkKey, mobileKey } = newKeys(keys);
    demandMembers("environments.rotateKey", options, ["overlap"], '{ overlap: "1h" }');
    const overlapMs = parseDuration(options.overlap ?? 0);
    if (overlapMs === undefined) throw new TypeError('overlap must be a time span like "1h"');
    const next = {
      ...(sdkKey === undefined ? {} : { sdkKey }),
      ...(mobileKey === undefined ? {} : { mobileKey }),
    };
    const now = this.#relay.options.clock.now();
    const settings = resolveChanges(name, next, group.settings);
    const further = rotated(group.settings.keys, settings.keys, { now, expires: now + overlapMs });
    this.#change(group, { ...settings, keys: { ...settings.keys, further } });
  }

  /** Closes all of them. */
  async close(ending: Ending): Promise<void> {
    this.#closed = true;
    for (const { ring } of this.#groups.values()) ring.close();
    await Promise.all([...this.all(), ...this.#leaving].map((environment) => environment.close(ending)));
  }

  #demandOpen(): void {
    if (this.#closed) throw new RelayError("closed", "the relay is closed");
  }

  #group(call: string, name: string): EnvironmentGroup {
    demandName(`environments.${call}`, name);
    this.#demandOpen();
    const group = this.#groups.get(name);
    if (group !== undefined) return group;
    throw new RelayError("unknown_environment", `there is no environment ${JSON.stringify(name)}`);
  }

  /** Each credential, and each name, may lead to one environment only. */
  #refuseTaken(name: string, settings: ResolvedEnvironment): void {
    for (const { kind, value } of acceptedCredentials(settings.keys, this.#relay.options.clock.now())) {
      const digest = credentialDigest(kind, value);
      const owner = this.#byCredential.get(digest);
      if (owner !== undefined && owner.name !== name && owner.ring.accepts(digest))
        throw new RelayError("duplicate", `environment ${JSON.stringify(owner.name)} has the same ${kind}`);
    }
    const names = new Set(variantNames(name, settings));
    for (const group of this.#groups.values()) {
      const taken = group.variants().find((environment) => names.has(environment.name));
      if (taken !== undefined && group.name !== name)
        throw new RelayError("duplicate", `there is an environment ${JSON.stringify(taken.name)}`);
    }
  }

  #change(group: EnvironmentGroup, settings: ResolvedEnvironment): ReturnType<EnvironmentGroup["change"]> {
    this.#refuseTaken(group.name, settings);
    const before = group.ring.digests();
    const changed = group.change(settings);
    this.#forget(group, before);
    this.#index(group);
    return changed;
  }

  /** Lets credentials lead to a group no more; those that have expired may lead to another one by now. */
  #forget(group: EnvironmentGroup, digests: readonly string[]): void {
    for (const digest of digests) {
      if (this.#byCredential.get(digest) === group) this.#byCredential.delete(digest);
    }
  }

  /** Lets the keys of a group lead to it, and lets go of what was opened with others. */
  #index(group: EnvironmentGroup): void {
    for (const digest of group.ring.digests()) {
      if (group.ring.accepts(digest)) this.#byCredential.set(digest, group);
    }
    for (const environment of group.variants()) environment.dropUnaccepted();
  }

  async #leave(environments: readonly Environment[]): Promise<void> {
    const deadline = createDeadline(this.#relay.options.clock, removalMs);
    const leave = async (environment: Environment) => {
      this.#leaving.add(environment);
      // Another one may take its name.
      environment.meter.close();
      await environment.close({ deadline: deadline.reached, spreadMs: 0 });
      this.#leaving.delete(environment);
    };
    await Promise.all(environments.map(leave));
    deadline.cancel();
  }
}

async function allSettled(environments: readonly Environment[]): Promise<void> {
  await Promise.all(environments.map(({ settled }) => settled));
}

const keysExample = '{ sdkKey: "…" } or { mobileKey: "…" }';

/** The keys of a rotation. Throws when there is none. */
function newKeys(keys: NewKeys): NewKeys {
  demandMembers("environments.rotateKey", keys, ["sdkKey", "mobileKey"], keysExample);
  const given: unknown[] = [keys.sdkKey, keys.mobileKey].filter((key) => key !== undefined);
  if (given.length > 0 && !given.includes(null)) return keys;
  throw new TypeError(`environments.rotateKey needs a new key, as in ${keysExample}`);
}

/** What is accepted beside new keys: what was accepted already, and for a while those whose place they take. */
function rotated(
  before: EnvironmentKeys,
  after: EnvironmentKeys,
  { now, expires }: { readonly now: number; readonly expires: number },
): readonly AcceptedKey[] {
  const replaced = (["sdkKey", "mobileKey"] as const).flatMap((kind): readonly AcceptedKey[] => {
    const { [kind]: value } = before;
    return value === undefined || value === after[kind] ? [] : [{ kind, value, expires, replaced: true }];
  });
  return [...after.further, ...replaced].filter(
    ({ expires: until = Number.POSITIVE_INFINITY }) => now < until,
  );
}
