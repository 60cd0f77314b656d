/** Why an environment that a configuration names is not served as it says. */
export interface Shortfall {
  /** What it should be, as far as that is known, in the words of `EnvironmentOptions`. */
  readonly wanted: object;
  readonly error: unknown;
}
