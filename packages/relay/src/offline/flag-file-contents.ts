import type { Change } from "../change.js";
import type { Fields } from "../fields.js";

/** An environment that a file of flags names. */
export interface FlagFileEnvironment {
  /** What the file says of it beside its flags: keys and settings, not looked at yet. */
  readonly settings: Fields;
  /** Its line. */
  readonly line: number;
  readonly change: Change;
}

/** What a file of flags has. */
export interface FlagFile {
  /** The flags that belong to no environment, or to all of them. */
  readonly shared: Change;
  readonly environments: ReadonlyMap<string, FlagFileEnvironment>;
}
