import type { Clock } from "./clock.js";
import { credentialDigest, credentialsOf, type EnvironmentKeys } from "./credentials.js";

/** A jump of the wall clock is noticed after this time at the latest. */
const longestWaitMs = 60_000;

/** The keys of one environment as they are now: those that have expired are gone. */
export class KeyRing {
  readonly #clock: Clock;
  readonly #changed: () => void;
  #keys: EnvironmentKeys;
  /** Digest of each credential with the moment it expires. */
  #expiries: ReadonlyMap<string, number>;
  #cancelWait: (() => void) | undefined;

  /** `changed` is called when keys have expired; `watch` begins to look. */
  constructor(clock: Clock, keys: EnvironmentKeys, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
    this.#keys = unexpired(keys, clock.now());
    this.#expiries = expiriesOf(this.#keys);
  }

  get keys(): EnvironmentKeys {
    return this.#keys;
  }

  /** The credentials that lead here, as digests. */
  digests(): string[] {
    return [...this.#expiries.keys()];
  }

  /** Whether a credential is accepted at this moment. */
  accepts(digest: string): boolean {
    const expires = this.#expiries.get(digest);
    return expires !== undefined && (expires === never || this.#clock.now() < expires);
  }

  acceptsSdkKey(sdkKey: string): boolean {
    return this.accepts(credentialDigest("sdkKey", sdkKey));
  }

  /** Puts other keys in place of all of them. */
  replace(keys: EnvironmentKeys): void {
    this.#keys = unexpired(keys, this.#clock.now());
    this.#expiries = expiriesOf(this.#keys);
    this.watch();
  }

  /** Sees to it that keys go when they expire. */
  watch(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    const next = Math.min(...this.#expiries.values());
    if (next === never) return;
    const waitMs = Math.min(Math.max(next - this.#clock.now(), 0), longestWaitMs);
    this.#cancelWait = this.#clock.schedule(waitMs, () => {
      const before = this.#expiries.size;
      this.replace(this.#keys);
      if (this.#expiries.size < before) this.#changed();
    });
  }

  /** No key is accepted any more. */
  revoke(): void {
    this.close();
    this.#expiries = new Map();
  }

  /** Keys do not go any more. */
  close(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
  }
}

const never = Number.POSITIVE_INFINITY;

function unexpired(keys: EnvironmentKeys, now: number): EnvironmentKeys {
  return { ...keys, further: keys.further.filter(({ expires = never }) => now < expires) };
}

function expiriesOf(keys: EnvironmentKeys): Map<string, number> {
  // The present keys come first and do not expire.
  const expiries = new Map<string, number>();
  for (const { kind, value, expires = never } of credentialsOf(keys)) {
    const digest = credentialDigest(kind, value);
    if (!expiries.has(digest)) expiries.set(digest, expires);
  }
  return expiries;
}
