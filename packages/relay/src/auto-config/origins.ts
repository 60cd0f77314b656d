import type { AnnouncedKeys } from "./announced.js";

/** How many keys, and IDs, are remembered: more than upstream has at a time. */
const most = 100_000;

/**
 * Which environment of upstream each SDK key opens that was ever announced. To upstream a key is one environment for ever. It is told from what is
 * announced, in its order, and not from what could be done of it by then: an environment may have to wait for keys of another.
 */
export class Origins {
  /** By key and by ID, those that were named last at the end. */
  readonly #ofKeys = new Map<string, string>();
  readonly #ofIds = new Map<string, string>();
  #count = 0;

  /**
   * What the keys of an announcement open: what the SDK key is known to open, or else the expiring key that is named with it, or else what
   * was announced under this ID before: then it is a new key of the same environment.
   */
  take(id: string, { sdkKey, expiring }: AnnouncedKeys): string {
    const keys = [sdkKey, expiring?.key ?? ""].filter((key) => key !== "");
    const known = keys.map((key) => this.#ofKeys.get(key)).find((origin) => origin !== undefined);
    const origin = (sdkKey === "" ? undefined : known) ?? this.#ofIds.get(id) ?? `${++this.#count}`;
    remember(this.#ofIds, id, origin);
    for (const key of keys) remember(this.#ofKeys, key, this.#ofKeys.get(key) ?? origin);
    return origin;
  }
}

function remember(known: Map<string, string>, key: string, origin: string): void {
  known.delete(key);
  known.set(key, origin);
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}
