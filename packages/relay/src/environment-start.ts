import type { IsOwnKey } from "./credentials.js";
import type { Identity } from "./key-history.js";
import type { KeyRing } from "./key-ring.js";
import type { Metrics } from "./metrics.js";
import type { ResolvedEnvironment, ResolvedOptions } from "./options/resolved-options.js";

/** What an environment starts with. */
export interface EnvironmentStart {
  /** The name, with the filter if there is one. */
  readonly name: string;
  readonly filter: string | undefined;
  readonly settings: ResolvedEnvironment;
  readonly ring: KeyRing;
  /** What the host has set for the relay. */
  readonly options: ResolvedOptions;
  readonly metrics: Metrics;
  /** Why the environment is not as it should be; `undefined` when it is. */
  readonly problem: () => string | undefined;
  readonly isOwnKey: IsOwnKey;
  /** Stands for what it serves. */
  readonly identity: Identity;
  /** Whether what its stores have is something else than what its key opens: nothing of it is served. */
  readonly isStoreStale: boolean;
}
