import type { EnvironmentAbout } from "../environment-about.js";

/** The keys that upstream announces. */
export interface AnnouncedKeys {
  /** Empty when upstream names none. */
  readonly sdkKey: string;
  /** A key that is accepted beside it until a moment in Unix milliseconds. */
  readonly expiring: ExpiringKey | undefined;
  /** Empty when upstream names none. */
  readonly mobileKey: string;
}

/** An environment as upstream announces it, on a stream or in an archive. */
export interface AnnouncedEnvironment extends AnnouncedKeys {
  readonly version: number;
  readonly envId: string;
  readonly secureMode: boolean;
  readonly ttlMs: number;
  readonly about: EnvironmentAbout;
}

/** A key that is accepted until a moment in Unix milliseconds. */
export interface ExpiringKey {
  readonly key: string;
  readonly expires: number;
}

/** A payload filter as upstream announces it. */
export interface AnnouncedFilter {
  readonly version: number;
  readonly projKey: string;
  readonly key: string;
}
