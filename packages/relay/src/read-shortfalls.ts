import { RelayError } from "./error.js";
import { demandMembers, demandName, demandObject, demandText } from "./options/call-arguments.js";
import type { EnvironmentOptions } from "./options/options.js";
import type { Shortfall } from "./shortfall.js";

/** An environment that should be there, or be another one, and cannot. */
export interface UnservedOptions {
  /** What it should be. */
  readonly options: EnvironmentOptions;
  /** Why it cannot, in a sentence that strangers may read. */
  readonly problem: string;
}

const unservedExample = '{ staging: { options: { sdkKey: "…" }, problem: "…" } }';

/** The environments that a host names as unserved. Throws when they are given in another form. */
export function readShortfalls(
  environments: Readonly<Record<string, UnservedOptions>>,
): Map<string, Shortfall> {
  demandObject("environments.setUnserved", environments, unservedExample);
  return new Map(
    Object.entries(environments).map(([name, given]) => {
      demandName("environments.setUnserved", name);
      demandMembers("environments.setUnserved", given, ["options", "problem"], unservedExample);
      const { options, problem } = given;
      demandObject("environments.setUnserved", options, unservedExample);
      demandText("environments.setUnserved", problem, unservedExample);
      return [name, { wanted: options, error: new RelayError("invalid_options", problem) }];
    }),
  );
}
