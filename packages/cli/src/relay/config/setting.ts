import type { SectionName } from "./sections.js";
import type { Medium } from "./value-types.js";

/** A value for a property, as it was written somewhere. */
export interface Setting {
  readonly section: SectionName;
  /** The name of the section, where it has one; else empty. */
  readonly name: string;
  readonly key: string;
  /** Absent for a name without `=`. */
  readonly text: string | undefined;
  readonly medium: Medium;
  /** Where it was written: `relay.conf:3`, or the name of a variable. */
  readonly origin: string;
}
