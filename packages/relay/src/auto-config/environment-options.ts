import type { EnvironmentAbout } from "../environment-about.js";
import type { AnnouncedEnvironment, ExpiringKey } from "./announced.js";
import type { KeyHistory } from "./key-history.js";

/** What upstream says of an environment, in the words of `EnvironmentOptions`. */
export interface AnnouncedOptions {
  readonly sdkKey: string;
  readonly mobileKey?: string;
  readonly envId: string;
  readonly furtherSdkKeys: readonly ExpiringKey[];
  readonly secureMode: boolean;
  readonly ttl: number;
  readonly about: EnvironmentAbout;
}

/** An announced environment as a relay is told of one. */
export function environmentOptions(
  { envId, secureMode, ttlMs, about }: AnnouncedEnvironment,
  { sdkKey, mobileKey, expiring }: KeyHistory,
): AnnouncedOptions {
  return {
    sdkKey,
    ...(mobileKey === "" ? {} : { mobileKey }),
    envId,
    furtherSdkKeys: expiring,
    secureMode,
    ttl: ttlMs,
    about,
  };
}
