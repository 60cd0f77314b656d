import type { AnnouncedKeys } from "./announced.js";
import { remember } from "./remember.js";

/** What a key opens. */
interface Opened {
  readonly origin: string;
  /** Whether nothing but the ID tells that: it was announced in place of one that is not named any more. */
  readonly isGuessed: boolean;
}

/** Where an environment of upstream is announced. */
interface Place {
  readonly id: string;
  /** The SDK key first. */
  readonly keys: readonly string[];
}

/** What the keys of an announcement open, as it turns out. */
export interface Taken {
  readonly origin: string;
  /** An ID whose keys open something else than was guessed: what they were taken for is announced here. */
  readonly mistaken?: string;
}

/**
 * Which environment of upstream each SDK key opens that was ever announced. To upstream a key is one environment for ever. It is told from what is
 * announced, in its order, and not from what could be done of it by then: an environment may have to wait for keys of another.
 */
export class Origins {
  /** By key and by ID, those that were named last at the end. */
  readonly #ofKeys = new Map<string, Opened>();
  readonly #ofIds = new Map<string, string>();
  /** By origin: upstream has each under one ID. */
  readonly #places = new Map<string, Place>();
  #count = 0;

  /**
   * What the keys of an announcement open: what the SDK key is known to open, or else the expiring key that is named with it, or else what
   * was announced under this ID before, unless that is announced under another one now: then it is a new key of the same environment.
   */
  take(id: string, { sdkKey, expiring }: AnnouncedKeys): Taken {
    const keys = [sdkKey, expiring?.key ?? ""].filter((key) => key !== "");
    const known = sdkKey === "" ? undefined : this.#firstKnown(keys);
    const guessed = this.#ofIdAlone(id);
    const origin = known?.origin ?? guessed ?? this.#newOrigin();
    const opened = known ?? { origin, isGuessed: guessed !== undefined };
    const mistaken = known === undefined ? undefined : this.#mistakenFor(origin, { id, keys });
    this.leave(id);
    remember(this.#ofIds, id, origin);
    for (const key of keys) remember(this.#ofKeys, key, this.#ofKeys.get(key) ?? opened);
    this.#places.set(origin, { id, keys });
    return { origin, ...(mistaken === undefined ? {} : { mistaken }) };
  }

  /** Whether a key opens that, as far as is known now. */
  isOpenedBy(origin: string, key: string): boolean {
    return this.#ofKeys.get(key)?.origin === origin;
  }

  /** Nothing is announced under this ID any more. */
  leave(id: string): void {
    const origin = this.#ofIds.get(id);
    if (origin !== undefined && this.#places.get(origin)?.id === id) this.#places.delete(origin);
  }

  #newOrigin(): string {
    return `${++this.#count}`;
  }

  #firstKnown(keys: readonly string[]): Opened | undefined {
    return keys.map((key) => this.#ofKeys.get(key)).find((opened) => opened !== undefined);
  }

  #ofIdAlone(id: string): string | undefined {
    const origin = this.#ofIds.get(id);
    return origin === undefined || (this.#places.get(origin)?.id ?? id) === id ? origin : undefined;
  }

  /** The ID whose keys were only guessed to open what is known to be announced elsewhere now, with other keys. From now on they open something else. */
  #mistakenFor(origin: string, { id, keys }: Place): string | undefined {
    const other = this.#places.get(origin);
    if (other === undefined || other.id === id || other.keys.some((key) => keys.includes(key)))
      return undefined;
    if (this.#firstKnown(other.keys)?.isGuessed !== true) return undefined;
    const opened = { origin: this.#newOrigin(), isGuessed: false };
    for (const key of other.keys) this.#ofKeys.set(key, opened);
    return other.id;
  }
}
