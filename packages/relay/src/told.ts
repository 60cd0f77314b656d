/** What a configuration knows of the keys of an environment. */
export interface Told {
  /** Stands for what the SDK key opens. */
  readonly origin?: string | undefined;
  /** Those of the further keys that are known to open the same. */
  readonly ownSdkKeys?: readonly string[] | undefined;
}
