import { credentialDigest, type EnvironmentKeys } from "./credentials.js";

/** How many keys, and names, are remembered beside those in use. */
const most = 10_000;

/** Stands for an environment of upstream, whatever it is called here. */
export type Identity = symbol;

/** What is known of a key. */
interface Known {
  readonly identity: Identity;
  /** Whether upstream was asked with it: who has only been listed may have been listed by mistake. */
  readonly isAsked: boolean;
}

/**
 * What each SDK key opens. To upstream a key is one environment, for ever; a name is what people call it here, and may be corrected. A new
 * key of an environment opens the same flags as the old one, unless it is known to open others: then the flags under that name are not its own.
 */
export class KeyHistory {
  /** By digest, those that were noted last at the end. */
  readonly #ofKeys = new Map<string, Known>();
  readonly #ofNames = new Map<string, Identity>();

  /** What a key opens, as far as is known. */
  ofKey(sdkKey: string): Identity | undefined {
    return this.#ofKeys.get(credentialDigest("sdkKey", sdkKey))?.identity;
  }

  /** Whether it is certain that a key opens something else. */
  isOfAnother(sdkKey: string, identity: Identity): boolean {
    const known = this.#ofKeys.get(credentialDigest("sdkKey", sdkKey));
    return known?.isAsked === true && known.identity !== identity;
  }

  /** What was served under a name last. */
  ofName(name: string): Identity | undefined {
    return this.#ofNames.get(name);
  }

  /** Remembers what is served under a name, and that its keys open that. */
  note(name: string, identity: Identity, { sdkKey, further }: EnvironmentKeys): void {
    remember(this.#ofNames, name, identity);
    for (const { kind, value } of further) {
      if (kind !== "sdkKey") continue;
      const digest = credentialDigest(kind, value);
      const isAsked = this.#ofKeys.get(digest)?.isAsked ?? false;
      remember(this.#ofKeys, digest, { identity, isAsked });
    }
    remember(this.#ofKeys, credentialDigest("sdkKey", sdkKey), { identity, isAsked: true });
  }
}

function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}
