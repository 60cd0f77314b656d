import type { ValueType } from "./value-types.js";

/**
 * One thing that can be set. The parser, the check, the guide and the options of the relay are made from the table of all of
 * them.
 */
export interface Property {
  /** The variable; in sections with a name, what comes before that name. */
  readonly variable: string;
  readonly type: ValueType<unknown>;
  /** What holds when nothing is set, as it is written in a file. */
  readonly default?: string;
  /** Whether files have no such name. */
  readonly variableOnly?: true;
  /** The property that takes its place when it is set. */
  readonly unless?: string;
  /** How it is shown: a key by its last characters, an address without its password, a password not at all. */
  readonly secret?: "key" | "password" | "url";
  /** What it sets in the options of the packages; what it does instead when there is no such option. */
  readonly sets: string;
  /** A sentence for the guide. */
  readonly about: string;
}

/** A section of the file. */
export interface Section {
  /** Whether there are several, each with a name: `[Environment "production"]`. */
  readonly named?: true;
  /** The property that switches the section on; variables of the others count only then. */
  readonly enabledBy?: readonly string[];
  readonly properties: Readonly<Record<string, Property>>;
}

/** What a property is once it was read: always there when it has a default. */
type ValueOf<One extends Property> =
  One["type"] extends ValueType<infer Value>
    ? One extends { readonly default: string }
      ? Value
      : Value | undefined
    : never;

/** All values of a section. */
export type ValuesOf<One extends Section> = {
  readonly [Key in keyof One["properties"]]: ValueOf<One["properties"][Key]>;
};
