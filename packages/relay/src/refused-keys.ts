import type { Clock } from "./clock.js";
import { type AcceptedKey, credentialDigest, maskCredential } from "./credentials.js";

/** A listed key, as its digest and as people may see it. */
interface Refused {
  readonly digest: string;
  readonly masked: string;
  readonly expires: number;
}

/**
 * Keys that are listed for an environment and open another one's flags. They are not unknown: SDKs that meet an unknown one stop for good, and what is
 * listed wrongly, or too early, may be put right.
 */
export class RefusedKeys {
  readonly #clock: Clock;
  readonly #ofNames = new Map<string, readonly Refused[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Puts these in place of all that are listed for an environment. */
  set(name: string, keys: readonly AcceptedKey[]): void {
    const refused = keys.map(({ kind, value, expires = Number.POSITIVE_INFINITY }) => ({
      digest: credentialDigest(kind, value),
      masked: maskCredential(value),
      expires,
    }));
    if (refused.length === 0) this.#ofNames.delete(name);
    else this.#ofNames.set(name, refused);
  }

  /** Whether a credential, as its digest, is one of them at this moment. */
  knows(digest: string): boolean {
    for (const name of this.#ofNames.keys())
      if (this.#now(name).some((key) => key.digest === digest)) return true;
    return false;
  }

  /** What is wrong with what is listed for an environment, in a sentence that everybody may read. */
  problemOf(name: string): string | undefined {
    const refused = this.#now(name).map(({ masked }) => masked);
    if (refused.length === 0) return undefined;
    return `${refused.join(", ")}: is listed, and refused: it opens the flags of another environment than the SDK key`;
  }

  #now(name: string): readonly Refused[] {
    const now = this.#clock.now();
    return (this.#ofNames.get(name) ?? []).filter(({ expires }) => now < expires);
  }
}
