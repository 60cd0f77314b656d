import { credentialDigest, type EnvironmentKeys } from "./credentials.js";

/** How many keys, and names, are remembered beside those in use. */
const most = 10_000;

/** Stands for an environment of upstream, whatever it is called here. */
export type Identity = symbol;

/**
 * What each SDK key opens. To upstream a key is one environment, for ever; a name is what people call it here, and may be corrected. A new
 * key of an environment opens the same flags as the old one, unless it is known to open others: then the flags under that name are not its own.
 */
export class KeyHistory {
  /** By digest, those that were noted last at the end. */
  readonly #ofKeys = new Map<string, Identity>();
  readonly #ofNames = new Map<string, Identity>();

  /** What a key opens, as far as is known. */
  ofKey(sdkKey: string): Identity | undefined {
    return this.#ofKeys.get(credentialDigest("sdkKey", sdkKey));
  }

  /** What was served under a name last. */
  ofName(name: string): Identity | undefined {
    return this.#ofNames.get(name);
  }

  /**
   * Remembers what is served under a name, and that its keys open that. A key that is known to open something else does not open this by being
   * listed: only the one that upstream is asked with does.
   */
  note(name: string, identity: Identity, { sdkKey, further }: EnvironmentKeys): void {
    remember(this.#ofNames, name, identity);
    for (const { kind, value } of further)
      if (kind === "sdkKey")
        remember(this.#ofKeys, credentialDigest(kind, value), this.ofKey(value) ?? identity);
    remember(this.#ofKeys, credentialDigest("sdkKey", sdkKey), identity);
  }
}

function remember(known: Map<string, Identity>, key: string, identity: Identity): void {
  known.delete(key);
  known.set(key, identity);
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}
