import type { Changed } from "./changed.js";
import { type CredentialKind, credentialDigest, maskCredential } from "./credentials.js";
import { createDeadline } from "./deadline.js";
import type { Ending, Environment } from "./environment.js";
import { EnvironmentDirectory, leadingTo } from "./environment-directory.js";
import { EnvironmentGroup, type RelayParts } from "./environment-group.js";
import { RelayError } from "./error.js";
import type { Selection } from "./http/selection.js";
import { KeyOrigins } from "./key-origins.js";
import { demandMembers, demandName } from "./options/call-arguments.js";
import { type Duration, parseDuration } from "./options/duration.js";
import type { EnvironmentChanges, EnvironmentOptions } from "./options/options.js";
import { resolveChanges, resolveEnvironment } from "./options/resolve-environment.js";
import type { ResolvedEnvironment } from "./options/resolved-options.js";
import { readShortfalls, type UnservedOptions } from "./read-shortfalls.js";
import { isReady } from "./ready-policy.js";
import { type NewKeys, newKeys, rotated } from "./rotated-keys.js";
import type { StatusOfEnvironment } from "./status-document.js";
import type { Told } from "./told.js";
import { UnservedEnvironments } from "./unserved-environments.js";

/** How keys are replaced. */
export interface RotationOptions {
  /**
   * How long the old keys are accepted beside the new ones. Default: not at all. It ends at a moment, as `expires` of a further
   * key does: a wall clock that is set meanwhile moves it.
   */
  readonly overlap?: Duration;
}

/** The environments of a running relay. All but `names` throw a `RelayError` with the code `closed` once the relay is closed. */
export interface Environments {
  /** The names, payload filters not included. */
  names(): string[];
  /** Adds an environment; resolves when it has data, is refused, or `initTimeout` has passed. */
  add(name: string, options: EnvironmentOptions): Promise<void>;
  /**
   * Changes what an environment was added with. Streams that are still allowed stay open; those of keys and filters that
   * are gone end. An overlap of `rotateKey` goes on, whatever keys are listed, unless its key is among them: then with the `expires` that
   * stands there. Resolves when filters that are new have data, are refused, or `initTimeout` has passed.
   *
   * An SDK key that has been the key of another environment here is no new one for the same flags: with it an environment begins anew, and nothing
   * of the former flags is served, neither from memory nor from a store; its waiting events are sent or given up as after `remove`.
   */
  update(name: string, changes: EnvironmentChanges): Promise<void>;
  /**
   * Removes an environment: its keys are unknown at once, its streams end. Resolves when its last events were sent or given up, which takes
   * seconds when upstream does not take them: to set it up anew call `add` before that, in the same turn.
   */
  remove(name: string): Promise<void>;
  /**
   * Replaces keys. The new ones are accepted at once and requests go on being served with the flags at hand, unless the SDK key has been that
   * of another environment (see `update`; then there is no overlap); the old ones
   * are accepted for the overlap, and then the streams that were opened with them end. A restart forgets the overlap:
   * give a key that outlives one as a further key with `expires`. An old key that has leaked is ended by listing it with an `expires` that has
   * passed, as in `update(name, { furtherSdkKeys: [{ key, expires: 0 }] })`.
   */
  rotateKey(name: string, keys: NewKeys, options?: RotationOptions): void;
  /**
   * Names the environments that should be there, or be other ones, and cannot: all of them, in place of those that were named
   * before. Each stands in the status with a `problem`, and requests with its keys get 503, after which SDKs try again: after 401
   * they stop for good. It holds back nothing that `ready` says, and ends when it is added.
   */
  setUnserved(environments: Readonly<Record<string, UnservedOptions>>): void;
}

/** How long the waiting events of a removed environment may take. */
const removalMs = 5000;

/** The environments of one relay, found by name and by credential. */
export class EnvironmentRegistry implements Environments {
  readonly #relay: RelayParts;
  readonly #groups: EnvironmentDirectory<EnvironmentGroup>;
  /** Those that are named elsewhere and cannot be served as they should be. */
  readonly unserved: UnservedEnvironments;
  readonly #origins: KeyOrigins;
  /** Those that were removed and are not over yet. */
  readonly #leaving = new Set<Environment>();
  #closed = false;

  constructor(relay: RelayParts) {
    this.#relay = relay;
    this.#groups = new EnvironmentDirectory(relay.options.clock);
    this.unserved = new UnservedEnvironments(relay.options);
    this.#origins = new KeyOrigins(this.#groups, relay.options);
  }

  get closed(): boolean {
    return this.#closed;
  }

  names(): string[] {
    return this.#groups.names();
  }

  all(): Environment[] {
    return this.#groups.entries().flatMap((group) => group.variants());
  }

  /** Resolves when all have settled, with those that take the place of others meanwhile. */
  async settled(): Promise<void> {
    const seen = new Set<Environment>();
    for (let rest = this.all(); rest.length > 0; rest = this.all().filter((one) => !seen.has(one))) {
      await allSettled(rest);
      for (const one of rest) seen.add(one);
    }
  }

  /** All, and those that should be there. */
  statuses(): StatusOfEnvironment[] {
    return [...this.all(), ...this.#absent()];
  }

  #absent(): StatusOfEnvironment[] {
    return this.unserved.entries().filter(({ name }) => this.#groups.get(name) === undefined);
  }

  /** Whether there is data for as many as the host wants to have. */
  isReady(): boolean {
    const present = this.#groups
      .entries()
      .flatMap((group) => group.variants().map(({ phase }) => ({ group: group.name, phase })));
    // What a host cannot add must not take away from traffic what it has.
    const isManaged = this.#relay.options.configuration !== undefined;
    const missing = isManaged ? [...this.unserved.expected, ...this.#absent().map(({ name }) => name)] : [];
    const absent = missing.map((group) => ({ group, phase: "waiting" as const }));
    return isReady(this.#relay.options.ready, [...present, ...absent]);
  }

  find(kind: CredentialKind, credential: string, filter: string): Selection {
    const digest = credentialDigest(kind, credential);
    const group = this.#groups.find(digest);
    if (group === undefined) return { kind: this.#isExpected(digest) ? "unserved" : "unknown" };
    const environment = group.variant(filter);
    if (environment !== undefined) return { kind: "found", environment, digest };
    return { kind: this.unserved.wantsFilter(group.name, filter) ? "unserved" : "unknown-filter" };
  }

  /** Whether a credential, as its digest, leads anywhere now, or should. */
  knows(digest: string): boolean {
    return this.#groups.find(digest) !== undefined || this.#isExpected(digest);
  }

  /** Whether a credential that leads nowhere should, or may. */
  #isExpected(digest: string): boolean {
    return this.unserved.knows(digest) || this.#origins.refuses(digest);
  }

  /** Starts an environment. Throws what a factory of the host throws; then it is not there. */
  start(name: string, settings: ResolvedEnvironment, told: Told = {}): readonly Environment[] {
    return this.#enter(this.#create(name, settings, told, () => this.#demandPlace(name, settings)));
  }

  #create(name: string, wanted: ResolvedEnvironment, told: Told, demandFit: () => void): EnvironmentGroup {
    const { identity, isAnew, settings } = this.#origins.opened(name, wanted, told);
    const group: EnvironmentGroup = new EnvironmentGroup(name, settings, this.#relay, {
      demandFit,
      keysChanged: () => this.#index(group),
      problem: () => this.unserved.problemOf(name) ?? this.#origins.problemOf(name),
      isOwnKey: (kind, key) => this.#origins.isOwn(identity, kind, key),
      identity,
      isStoreStale: isAnew,
    });
    return group;
  }

  #enter(group: EnvironmentGroup): readonly Environment[] {
    if (group.isStoreStale)
      this.#relay.options.logger.info(
        `[${group.name}] begins anew, without flags: its SDK key opens others than those that it had`,
      );
    this.#groups.add(group);
    this.#index(group);
    this.#origins.note(group);
    return group.variants();
  }

  async add(name: string, options: EnvironmentOptions): Promise<void> {
    await allSettled(this.addNow(name, options));
  }

  /** As `add`, waiting for nothing; gives what has been started. */
  addNow(name: string, options: EnvironmentOptions, told?: Told): readonly Environment[] {
    demandName("environments.add", name);
    const settings = resolveEnvironment(name, options);
    this.#demandPlace(name, settings);
    const started = this.start(name, settings, told);
    this.unserved.forget(name);
    return started;
  }

  async update(name: string, changes: EnvironmentChanges): Promise<void> {
    const { added, left } = this.updateNow(name, changes);
    await Promise.all([allSettled(added), left]);
  }

  /** As `update`, waiting for nothing; `ifAnew` is changed as well where the environment begins anew. */
  updateNow(
    name: string,
    changes: EnvironmentChanges,
    told: Told = {},
    ifAnew: EnvironmentChanges = {},
  ): Changed {
    const group = this.#group("update", name);
    const settings = resolveChanges(name, changes, group.settings);
    const all = this.#origins.isMoving(group, settings, told) ? { ...changes, ...ifAnew } : changes;
    const changed = this.#change(group, resolveChanges(name, all, group.settings), told);
    this.#tellOfOverlaps(this.#group("update", name), changes);
    return changed;
  }

  /** Who lists keys may think that no other one is left. */
  #tellOfOverlaps({ name, ring }: EnvironmentGroup, changes: EnvironmentChanges): void {
    const { clock, logger } = this.#relay.options;
    for (const { kind, value, expires, replaced } of ring.keys.further) {
      const option = kind === "sdkKey" ? "furtherSdkKeys" : "furtherMobileKeys";
      if (!replaced || expires === undefined || changes[option] === undefined) continue;
      const minutes = Math.ceil((expires - clock.now()) / 60_000);
      logger.info(
        `[${name}] ${maskCredential(value)}, which rotateKey has replaced, is accepted for another ${minutes} min; to end that, list it in ${option} with an expires that has passed`,
      );
    }
  }

  async remove(name: string): Promise<void> {
    await this.#end(this.#group("remove", name));
  }

  /** Its keys are unknown at once. */
  async #end(group: EnvironmentGroup): Promise<void> {
    this.#groups.delete(group);
    this.#origins.gone(group);
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

  setUnserved(environments: Readonly<Record<string, UnservedOptions>>): void {
    this.#demandOpen();
    this.unserved.replace(readShortfalls(environments));
  }

  /** Closes all of them. */
  async close(ending: Ending): Promise<void> {
    this.#closed = true;
    for (const { ring } of this.#groups.entries()) ring.close();
    await Promise.all([...this.all(), ...this.#leaving].map((environment) => environment.close(ending)));
  }

  #demandPlace(name: string, settings: ResolvedEnvironment): void {
    this.#demandOpen();
    this.#groups.refuseTaken(name, settings);
  }

  /** Demands that a group is as it was when it had these settings: factories of the host may call the relay. */
  #demandUnchanged(group: EnvironmentGroup, before: ResolvedEnvironment, wanted: ResolvedEnvironment): void {
    const { name } = group;
    if (this.#group("update", name) !== group || group.settings !== before)
      throw new TypeError(
        `environment ${JSON.stringify(name)} was changed by what makes its stores or its source, while it was being changed: change environments outside of factories`,
      );
    this.#groups.refuseOthers(name, wanted);
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

  #change(group: EnvironmentGroup, wanted: ResolvedEnvironment, told: Told = {}): Changed {
    this.#groups.refuseOthers(group.name, wanted);
    if (this.#origins.isMoving(group, wanted, told)) return this.#beginAnew(group, wanted, told);
    const settings = this.#origins.kept(group, wanted, told);
    // What it has had and has no more is remembered, too.
    this.#origins.note(group);
    const before = leadingTo(group);
    const { settings: present } = group;
    const { added, gone } = group.change(settings, {
      demandFit: () => this.#demandUnchanged(group, present, wanted),
      // What makes a source for a new key must find that the key is taken.
      changed: () => {
        this.#groups.forget(group, before);
        this.#groups.index(group);
      },
    });
    if (this.#groups.get(group.name) === group) {
      this.#index(group);
      this.#origins.note(group);
    }
    return { added, left: this.#leave(gone), isAnew: false };
  }

  /** Puts another group in place of one whose flags its new key does not open. Throws what a factory throws; then nothing has changed. */
  #beginAnew(group: EnvironmentGroup, settings: ResolvedEnvironment, told: Told): Changed {
    const { settings: present } = group;
    const demandFit = () => this.#demandUnchanged(group, present, settings);
    const next = group.makingWay(() => this.#create(group.name, settings, told, demandFit));
    const left = this.#end(group);
    return { added: this.#enter(next), left, isAnew: true };
  }

  /** Lets the keys of a group lead to it, and lets go of what was opened with others. */
  #index(group: EnvironmentGroup): void {
    this.#groups.index(group);
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
