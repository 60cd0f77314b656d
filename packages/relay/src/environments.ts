import { type CredentialKind, credentialDigest } from "./credentials.js";
import { createDeadline } from "./deadline.js";
import { Environment, type EnvironmentKeys, type RelayContext } from "./environment.js";
import { RelayError } from "./error.js";
import { type Duration, parseDuration } from "./options/duration.js";
import type { EnvironmentOptions } from "./options/options.js";
import { type ResolvedEnvironment, resolveEnvironment } from "./options/resolve-options.js";

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

/** The environments of a running relay. */
export interface Environments {
  /** The names, payload filters not included. */
  names(): string[];
  /** Adds an environment; resolves when it has data, is refused, or `initTimeout` has passed. */
  add(name: string, options: EnvironmentOptions): Promise<void>;
  /** Removes an environment: its keys are unknown at once, its streams end. */
  remove(name: string): Promise<void>;
  /**
   * Replaces keys. The new ones are accepted at once and requests go on being served with the flags at hand; the old ones
   * are accepted for the overlap, and then the streams that were opened with them end.
   */
  rotateKey(name: string, keys: NewKeys, options?: RotationOptions): void;
}

/** Where a credential leads. */
export type Selection =
  | { readonly kind: "found"; readonly environment: Environment; readonly digest: string }
  | { readonly kind: "unknown-filter" }
  | { readonly kind: "unknown" };

/** How long the waiting events of a removed environment may take. */
const removalMs = 5000;

/** The environments of one relay, found by name and by credential. */
export class EnvironmentRegistry implements Environments {
  readonly #context: RelayContext;
  /** Each name with its unfiltered environment first. */
  readonly #byName = new Map<string, readonly Environment[]>();
  /** Credential digest → filter → environment. */
  readonly #byCredential = new Map<string, ReadonlyMap<string, Environment>>();
  #closed = false;

  constructor(context: RelayContext) {
    this.#context = context;
    for (const [name, options] of context.options.environments) this.#register(name, options);
  }

  names(): string[] {
    return [...this.#byName.keys()];
  }

  all(): Environment[] {
    return [...this.#byName.values()].flat();
  }

  find(kind: CredentialKind, credential: string, filter: string): Selection {
    const digest = credentialDigest(kind, credential);
    const variants = this.#byCredential.get(digest);
    if (variants === undefined) return { kind: "unknown" };
    const environment = variants.get(filter);
    return environment === undefined ? { kind: "unknown-filter" } : { kind: "found", environment, digest };
  }

  async add(name: string, options: EnvironmentOptions): Promise<void> {
    const resolved = resolveEnvironment(name, options);
    if (this.#closed) throw new RelayError("closed", "the relay is closed");
    if (this.#byName.has(name))
      throw new RelayError("duplicate", `there is an environment ${JSON.stringify(name)}`);
    for (const kind of ["sdkKey", "mobileKey", "envId"] as const) this.#refuseKnown(kind, resolved[kind]);
    this.#register(name, resolved);
    await Promise.all((this.#byName.get(name) ?? []).map(({ settled }) => settled));
  }

  async remove(name: string): Promise<void> {
    const variants = this.#variants(name);
    this.#byName.delete(name);
    this.#reindex();
    const deadline = createDeadline(this.#context.options.clock, removalMs);
    await Promise.all(variants.map((environment) => environment.close(deadline.reached)));
    deadline.cancel();
  }

  rotateKey(name: string, keys: NewKeys, { overlap = 0 }: RotationOptions = {}): void {
    const variants = this.#variants(name);
    const overlapMs = parseDuration(overlap);
    if (overlapMs === undefined) throw new TypeError('overlap must be a time span like "1h"');
    const [first] = variants;
    if (first === undefined) return;
    const changed: NewKeys = {
      ...(keys.sdkKey === undefined || keys.sdkKey === first.keys.sdkKey ? {} : { sdkKey: keys.sdkKey }),
      ...(keys.mobileKey === undefined || keys.mobileKey === first.keys.mobileKey
        ? {}
        : { mobileKey: keys.mobileKey }),
    };
    resolveEnvironment(name, { sdkKey: first.keys.sdkKey, ...changed });
    for (const kind of ["sdkKey", "mobileKey"] as const) this.#refuseKnown(kind, changed[kind], variants);
    for (const environment of variants) rotate(environment, changed, overlapMs, () => this.#reindex());
    this.#reindex();
    const { sdkKey } = changed;
    if (sdkKey !== undefined) for (const environment of variants) environment.useSdkKey(sdkKey);
  }

  /** Closes all of them; events that wait are sent until `deadline` resolves. */
  async close(deadline: Promise<void>): Promise<void> {
    this.#closed = true;
    await Promise.all(this.all().map((environment) => environment.close(deadline)));
  }

  #variants(name: string): readonly Environment[] {
    const variants = this.#byName.get(name);
    if (variants !== undefined) return variants;
    throw new RelayError("unknown_environment", `there is no environment ${JSON.stringify(name)}`);
  }

  /** Each credential may lead to one environment only; an environment may take back its own expiring key. */
  #refuseKnown(kind: CredentialKind, value: string | undefined, own: readonly Environment[] = []): void {
    const owner =
      value === undefined ? undefined : this.#byCredential.get(credentialDigest(kind, value))?.get("");
    if (owner !== undefined && !own.includes(owner)) {
      throw new RelayError("duplicate", `another environment has the same ${kind}`);
    }
  }

  #register(name: string, options: ResolvedEnvironment): void {
    const create = (filter?: string) => new Environment(name, options, filter, this.#context);
    this.#byName.set(name, [create(), ...options.filters.map((filter) => create(filter))]);
    this.#reindex();
  }

  /** Finds anew what leads where. Streams of credentials that lead nowhere any more end. */
  #reindex(): void {
    const before = new Map(this.#byCredential);
    this.#byCredential.clear();
    for (const variants of this.#byName.values()) {
      const byFilter = new Map(variants.map((environment) => [environment.filter ?? "", environment]));
      for (const digest of variants[0]?.digests() ?? []) this.#byCredential.set(digest, byFilter);
    }
    for (const [digest, byFilter] of before) {
      if (this.#byCredential.has(digest)) continue;
      for (const environment of byFilter.values()) environment.endStreams(digest);
    }
  }
}

function rotate(environment: Environment, newKeys: NewKeys, overlapMs: number, reindex: () => void): void {
  const { keys } = environment;
  const replaced = (["sdkKey", "mobileKey"] as const).flatMap((kind) => {
    const value = keys[kind];
    return newKeys[kind] === undefined || value === undefined ? [] : [{ kind, value }];
  });
  const isNew = ({ kind, value }: EnvironmentKeys["expiring"][number]) =>
    kind !== "envId" && newKeys[kind] === value;
  environment.keys = {
    ...keys,
    ...newKeys,
    expiring: [...keys.expiring.filter((key) => !isNew(key)), ...(overlapMs > 0 ? replaced : [])],
  };
  if (overlapMs === 0 || replaced.length === 0) return;
  environment.later(overlapMs, () => {
    environment.keys = {
      ...environment.keys,
      expiring: environment.keys.expiring.filter((key) => !replaced.some((old) => old === key)),
    };
    reindex();
  });
}
