import type { EnvironmentAbout } from "../environment-about.js";

/** What upstream says of an environment, in the words of `EnvironmentOptions`. */
export interface AnnouncedOptions {
  readonly sdkKey: string;
  readonly mobileKey?: string;
  readonly envId: string;
  /** Keys that are accepted until a moment in Unix milliseconds. */
  readonly furtherSdkKeys: readonly { readonly key: string; readonly expires: number }[];
  readonly secureMode: boolean;
  readonly ttl: number;
  readonly about: EnvironmentAbout;
  readonly filters: readonly string[];
}
