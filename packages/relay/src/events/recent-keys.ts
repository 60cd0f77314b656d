import { hash } from "node:crypto";
import type { Clock } from "../clock.js";

/** Keys that were seen lately. */
export interface RecentKeys {
  /** Notes a key; tells whether it was not among those seen lately. */
  add(key: string): boolean;
}

const remembered = 10_000;
const forgetAfterMs = 300_000;

/** Remembers a number of keys for some minutes, each by its digest: keys are as long as a client likes. */
export function createRecentKeys(clock: Clock): RecentKeys {
  const digests = new Set<string>();
  let forgetAt = clock.monotonic() + forgetAfterMs;
  return {
    add(key) {
      if (clock.monotonic() >= forgetAt) {
        digests.clear();
        forgetAt = clock.monotonic() + forgetAfterMs;
      }
      const digest = hash("sha1", key, "base64");
      const isNew = !digests.delete(digest);
      digests.add(digest);
      const [oldest] = digests;
      if (digests.size > remembered && oldest !== undefined) digests.delete(oldest);
      return isNew;
    },
  };
}
