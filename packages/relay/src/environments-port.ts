import type { EnvironmentChanges, EnvironmentOptions } from "./options/options.js";
import type { Shortfall } from "./shortfall.js";
import type { Told } from "./told.js";

/** The environments of a relay, as far as a configuration changes them. Each call takes effect at once, or throws. */
export interface EnvironmentsPort {
  addNow(name: string, options: EnvironmentOptions, told: Told): unknown;
  /** `ifAnew` is changed as well where the SDK key opens other flags than the environment has had. */
  updateNow(
    name: string,
    changes: EnvironmentChanges,
    told?: Told,
    ifAnew?: EnvironmentChanges,
  ): { readonly isAnew: boolean };
  /** The keys are unknown at once; what else is left takes its time. */
  remove(name: string): Promise<void>;
  /** Hears of all that are not as they should be, and knows those that are about to be. */
  readonly unserved: {
    replace(shortfalls: ReadonlyMap<string, Shortfall>): void;
    expect(names: ReadonlySet<string>): void;
  };
}
