import type { EnvironmentAbout } from "../environment-about.js";
import type { Shortfall } from "../shortfall.js";

/** What is said of an environment by upstream, or in a file, in the words of `EnvironmentOptions`. */
export interface AnnouncedOptions {
  readonly sdkKey: string;
  /**
   * Stands for the environment of upstream that the SDK key opens, whatever its name is here. Where it is absent that is guessed from the
   * names and keys there have been.
   */
  readonly origin?: string;
  /** Those of the further keys that are known to open the same. */
  readonly ownSdkKeys?: readonly string[];
  readonly mobileKey?: string;
  /** Upstream names one always. */
  readonly envId?: string;
  /** Keys that are accepted until a moment in Unix milliseconds. */
  readonly furtherSdkKeys: readonly { readonly key: string; readonly expires: number }[];
  readonly secureMode: boolean;
  readonly ttl: number;
  readonly about: EnvironmentAbout;
  readonly filters: readonly string[];
}

/** What an announcement leads to, or the reading of a file. */
export interface AnnouncedChange {
  /** The environments that are other ones now, are new, or are gone, each as it is to be served: keys of earlier ones included. */
  readonly environments: ReadonlyMap<string, AnnouncedOptions | undefined>;
  /** All environments of which what was said last cannot be used. */
  readonly broken: ReadonlyMap<string, Shortfall>;
  /** What of it could not be used, and why. */
  readonly problems: readonly string[];
  /** Whether it is known which environments there are: a full set has come, now or before. */
  readonly isWhole: boolean;
}
