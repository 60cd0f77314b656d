import { credentialDigest, type EnvironmentKeys } from "./credentials.js";
import { remember } from "./remember.js";

/** Stands for an environment of upstream, whatever it is called here: a text where a configuration knows which, a symbol where it is guessed. */
export type Identity = symbol | string;

/** What a name is about to serve, and whether that is something else than what it has served. */
export interface Served {
  readonly identity: Identity;
  readonly isAnew: boolean;
}

/** What is known of a key. */
interface Known {
  readonly identity: Identity;
  /** Whether upstream was asked with it, or it was refused for that before: what has only been listed may have been listed by mistake. */
  readonly isCertain: boolean;
  /** What it was listed for last and does not open. */
  readonly refusedBy?: Identity;
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

  /**
   * What an environment with these keys opens: a key that nobody knows opens what the first known one opens that is listed with it. What has
   * been refused beside that which the name serves tells nothing of it.
   */
  ofKeys(name: string, { sdkKey, further }: EnvironmentKeys): Identity | undefined {
    const served = this.ofName(name);
    const listed = further.flatMap(({ kind, value }) => {
      if (kind !== "sdkKey") return [];
      const known = this.#ofKeys.get(credentialDigest(kind, value));
      return known === undefined || (served !== undefined && known.refusedBy === served)
        ? []
        : [known.identity];
    });
    return this.ofKey(sdkKey) ?? listed[0];
  }

  /**
   * Whether a key that is listed opens something else, for the first time or again: that is certain from then on. Where what is served is nothing
   * new, a key that was only listed elsewhere may have been listed there by mistake.
   */
  refusal(sdkKey: string, { identity, isAnew }: Served): "first" | "again" | undefined {
    const digest = credentialDigest("sdkKey", sdkKey);
    const known = this.#ofKeys.get(digest);
    if (known === undefined || known.identity === identity || !(known.isCertain || isAnew)) return undefined;
    remember(this.#ofKeys, digest, { ...known, isCertain: true, refusedBy: identity });
    return known.refusedBy === identity ? "again" : "first";
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
      const known = this.#ofKeys.get(digest);
      const isSame = known?.identity === identity;
      remember(this.#ofKeys, digest, isSame ? known : { identity, isCertain: known?.isCertain ?? false });
    }
    remember(this.#ofKeys, credentialDigest("sdkKey", sdkKey), { identity, isCertain: true });
  }
}
