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
