import type { AnnouncedEnvironment } from "./announced.js";
import type { AnnouncedOptions } from "./announced-change.js";
import type { KeyHistory } from "./key-history.js";

/** An announced environment as a relay is told of one. */
export function environmentOptions(
  { envId, secureMode, ttlMs, about }: AnnouncedEnvironment,
  { sdkKey, mobileKey, expiring }: KeyHistory,
  filters: readonly string[] = [],
): AnnouncedOptions {
  return {
    sdkKey,
    ...(mobileKey === "" ? {} : { mobileKey }),
    envId,
    furtherSdkKeys: expiring,
    secureMode,
    ttl: ttlMs,
    about,
    filters,
  };
}
