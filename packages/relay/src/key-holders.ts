import { type AcceptedKey, credentialDigest, type EnvironmentKeys } from "./credentials.js";
import type { Identity } from "./key-history.js";
import { remember } from "./remember.js";

const several = Symbol("several");

/**
 * Who has had which keys. What a mobile key opens, and any key of an environment with flags of its own, is what the host lists it for. To
 * upstream each key is one environment all the same, so events of others are not sent with it.
 */
export class KeyHolders {
  readonly #ofKeys = new Map<string, Identity>();

  /** Whether nobody else has had a key. */
  isOwn(identity: Identity, kind: AcceptedKey["kind"], key: string): boolean {
    const holder = this.#ofKeys.get(credentialDigest(kind, key));
    return holder === undefined || holder === identity;
  }

  /** Notes who has the keys of a kind. */
  note(identity: Identity, kind: AcceptedKey["kind"], keys: EnvironmentKeys): void {
    const further = keys.further.filter((one) => one.kind === kind).map(({ value }) => value);
    for (const key of [keys[kind], ...further]) {
      if (key === undefined) continue;
      remember(
        this.#ofKeys,
        credentialDigest(kind, key),
        this.isOwn(identity, kind, key) ? identity : several,
      );
    }
  }
}
