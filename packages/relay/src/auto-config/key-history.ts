import type { AnnouncedKeys, ExpiringKey } from "./announced.js";

/** The keys of an environment: what was announced last, and what was announced before and is still accepted. */
export interface KeyHistory {
  readonly sdkKey: string;
  readonly mobileKey: string;
  /** SDK keys that are accepted until a moment, oldest first. */
  readonly expiring: readonly ExpiringKey[];
}

/**
 * The keys after an announcement. Upstream names one expiring key at a time; those that it named before stay until their own
 * moment. A key that was replaced without being named as expiring is gone at once, and so is one whose moment has passed. A
 * key that is left out stays.
 */
export function nextKeys(
  before: KeyHistory | undefined,
  { sdkKey: newKey, mobileKey, expiring: named }: AnnouncedKeys,
  now: number,
): KeyHistory {
  const sdkKey = newKey || before?.sdkKey || "";
  const earlier = (before?.expiring ?? []).filter(({ key }) => key !== named?.key);
  const all = named === undefined ? earlier : [...earlier, named];
  return {
    sdkKey,
    mobileKey: mobileKey || before?.mobileKey || "",
    expiring: all.filter(({ key, expires }) => key !== sdkKey && now < expires),
  };
}

/**
 * A key that is named for one environment is remembered for no other. Gives the keys of those that have to forget one, by ID.
 *
 * @param namedOf  what was named for an environment last
 */
export function withoutKeysOfOthers<Keys extends KeyHistory>(
  all: ReadonlyMap<string, Keys>,
  namedOf: (id: string) => Pick<AnnouncedKeys, "sdkKey" | "expiring"> | undefined,
): ReadonlyMap<string, Keys> {
  const changed = new Map<string, Keys>();
  const remembering = new Set<string>();
  for (const [id, { expiring }] of all) {
    const named = namedOf(id)?.expiring?.key;
    if (expiring.some(({ key }) => key !== named)) remembering.add(id);
  }
  if (remembering.size === 0) return changed;
  const owners = new Map<string | undefined, string>();
  for (const id of all.keys()) {
    const named = namedOf(id);
    owners.set(named?.sdkKey, id).set(named?.expiring?.key, id);
  }
  for (const [id, keys] of all) {
    if (!remembering.has(id)) continue;
    const named = namedOf(id)?.expiring?.key;
    const expiring = keys.expiring.filter(({ key }) => key === named || (owners.get(key) ?? id) === id);
    if (expiring.length < keys.expiring.length) changed.set(id, { ...keys, expiring });
  }
  return changed;
}
