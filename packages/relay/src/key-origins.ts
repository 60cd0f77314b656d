import type { Clock } from "./clock.js";
import { type AcceptedKey, credentialDigest, maskCredential } from "./credentials.js";
import { type Identity, KeyHistory, type Served } from "./key-history.js";
import { KeyHolders } from "./key-holders.js";
import type { Logger } from "./logger.js";
import type { ResolvedEnvironment } from "./options/resolved-options.js";
import { RefusedKeys } from "./refused-keys.js";
import { hasOwnFlags } from "./sources/own-flags.js";
import type { Told } from "./told.js";

/** What is served under a name. */
interface ServedEnvironment {
  readonly name: string;
  readonly identity: Identity;
  readonly settings: ResolvedEnvironment;
}

/** What an environment opens that is about to be served. */
interface Opened {
  readonly identity: Identity;
  /** Whether the name has served something else. */
  readonly isAnew: boolean;
  /** With the further keys refused that open something else. */
  readonly settings: ResolvedEnvironment;
}

/** Those that are served now. */
interface ServedPort {
  entries(): readonly ServedEnvironment[];
  /** The one that a credential, as its digest, leads to. */
  find(digest: string): ServedEnvironment | undefined;
}

/** What the keys of a relay's environments open: whoever comes with one gets no other flags. */
export class KeyOrigins {
  readonly #served: ServedPort;
  readonly #logger: Pick<Logger, "warn">;
  readonly #history = new KeyHistory();
  readonly #holders = new KeyHolders();
  readonly #refused: RefusedKeys;

  constructor(served: ServedPort, { clock, logger }: { clock: Clock; logger: Pick<Logger, "warn"> }) {
    this.#served = served;
    this.#logger = logger;
    this.#refused = new RefusedKeys(clock);
  }

  /** What an environment opens that is about to be served under a name. */
  opened(name: string, wanted: ResolvedEnvironment, { origin, ownSdkKeys }: Told): Opened {
    const before = this.#history.ofName(name);
    const identity = hasOwnFlags(wanted.source) ? Symbol(name) : (origin ?? this.#guessed(name, wanted));
    const isAnew = before !== undefined && before !== identity;
    // Who tells what the SDK key opens has told of no key that opens what was served before.
    const served = { identity, isAnew: isAnew && origin === undefined };
    return { identity, isAnew, settings: this.#withOwnKeys(name, wanted, served, ownSdkKeys) };
  }

  /** What an environment is to be that goes on with the same flags. */
  kept({ name, identity }: ServedEnvironment, wanted: ResolvedEnvironment, told: Told): ResolvedEnvironment {
    return this.#withOwnKeys(name, wanted, { identity, isAnew: false }, told.ownSdkKeys);
  }

  /** Whether keys are known to open other flags than those that are served, from what there has been or because a configuration says so. */
  isMoving(
    { name, identity, settings }: ServedEnvironment,
    { keys }: ResolvedEnvironment,
    { origin }: Told,
  ): boolean {
    if (hasOwnFlags(settings.source)) return false;
    if (origin !== undefined) return origin !== identity;
    const opened = this.#history.ofKey(keys.sdkKey);
    if (opened !== undefined || keys.sdkKey === settings.keys.sdkKey)
      return opened !== undefined && opened !== identity;
    // Of a key that nobody knows those tell that are listed with it.
    const listed = this.#history.ofKeys(name, keys) ?? identity;
    return listed !== identity && !this.#isOfAnother(name, listed);
  }

  /** Remembers what the keys of an environment open, unless its flags are the name's own: then no key opens them. */
  note({ name, identity, settings }: ServedEnvironment): void {
    if (!hasOwnFlags(settings.source)) this.#history.note(name, identity, settings.keys);
    for (const kind of ["sdkKey", "mobileKey"] as const) this.#holders.note(identity, kind, settings.keys);
    this.#refused.set(name, settings.keys.refused ?? []);
  }

  /** Nothing is served under a name any more. What its keys opened is remembered: what has been in use for long is not forgotten first. */
  gone(environment: ServedEnvironment): void {
    this.note(environment);
    this.#refused.set(environment.name, []);
  }

  /** Whether events of an environment may be sent with a key, as far as others are concerned. */
  isOwn(identity: Identity, kind: AcceptedKey["kind"], key: string): boolean {
    return this.#holders.isOwn(identity, kind, key);
  }

  /** Whether a credential, as its digest, is listed and refused. */
  refuses(digest: string): boolean {
    return this.#refused.knows(digest);
  }

  /** What is wrong with the keys that are listed for an environment, in a sentence that everybody may read. */
  problemOf(name: string): string | undefined {
    return this.#refused.problemOf(name);
  }

  /** What an environment opens of which nobody says it. */
  #guessed(name: string, { keys }: ResolvedEnvironment): Identity {
    const known = this.#history.ofKeys(name, keys) ?? this.#history.ofName(name);
    // What another name has with another key is something else, whatever was said of them before.
    return known === undefined || this.#isOfAnother(name, known) ? Symbol(name) : known;
  }

  #isOfAnother(name: string, identity: Identity): boolean {
    return this.#served.entries().some((other) => other.name !== name && other.identity === identity);
  }

  /** With the further keys that are known to open something else refused, of which it tells. */
  #withOwnKeys(
    name: string,
    settings: ResolvedEnvironment,
    served: Served,
    own: readonly string[] = [],
  ): ResolvedEnvironment {
    if (hasOwnFlags(settings.source)) return settings;
    const { further: listed, refused: before = [], ...keys } = settings.keys;
    const [further, refused]: [AcceptedKey[], AcceptedKey[]] = [[], []];
    for (const key of listed)
      if (own.includes(key.value) || !this.#isRefused(name, key, served)) further.push(key);
      // What was only replaced, and is listed by nobody, goes.
      else if (key.replaced !== true) refused.push(key);
    // What was listed earlier counts again when it opens the same.
    for (const key of before) {
      const owner = this.#served.find(credentialDigest(key.kind, key.value));
      const isFree = owner === undefined || owner.name === name;
      (isFree && !this.#isRefused(name, key, served) ? further : refused).push(key);
    }
    return { ...settings, keys: { ...keys, further, refused } };
  }

  #isRefused(name: string, { kind, value }: AcceptedKey, served: Served): boolean {
    if (kind !== "sdkKey") return false;
    const known = this.#history.ofKey(value);
    const refusal = this.#history.refusal(value, served);
    if (refusal === "first")
      this.#logger.warn(
        `[${name}] ${maskCredential(value)} is refused from now on: it opens the flags of another environment than the SDK key`,
      );
    else if (refusal === undefined && known !== undefined && known !== served.identity)
      this.#logger.warn(
        `[${name}] ${maskCredential(value)} opens these flags from now on: it was listed for another environment before, and where it is listed last counts`,
      );
    return refusal !== undefined;
  }
}
