import { closest } from "../closest.js";
import { isRecord, show } from "../records/check-value.js";

/** What an option may be, in the words of its message. */
type Kind =
  | "an object"
  | "a function"
  | "true or false"
  | "a text"
  | "a number"
  | "a whole number from 0"
  | "a list";

const isOfKind: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  "an object": isRecord,
  "a function": (value) => typeof value === "function",
  "true or false": (value) => typeof value === "boolean",
  "a text": (value) => typeof value === "string",
  "a number": (value) => typeof value === "number",
  "a whole number from 0": (value) => Number.isInteger(value) && Number(value) >= 0,
  "a list": Array.isArray,
};

/** Throws a `TypeError` that names the option unless it is what it has to be. */
export function checkOption(name: string, value: unknown, kind: Kind): void {
  if (!isOfKind[kind](value)) throw new TypeError(`${name} must be ${kind}; got ${show(value)}.`);
}

/** The same for those of some options that are there; their names begin with `path`. */
export function checkPresent(
  options: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, Kind>>,
  path = "",
): void {
  for (const [name, kind] of Object.entries(kinds)) {
    if (options[name] !== undefined) checkOption(path + name, options[name], kind);
  }
}

/** The names that there are. Made of a type, they cannot be incomplete. */
export type Names<Options> = { readonly [Name in keyof Options]-?: 1 };

/** Throws when options have a member that nobody reads: what was meant would not hold, and nobody would say so. */
export function checkMembers(name: string, value: object, names: Readonly<Record<string, 1>>): void {
  const known = Object.keys(names);
  const unknown = Object.keys(value).find((member) => !known.includes(member));
  if (unknown === undefined) return;
  const meant = closest(unknown, known);
  const hint = meant === undefined ? "it has" : `did you mean ${show(meant)}? It has`;
  throw new TypeError(`${name} has no ${show(unknown)}; ${hint} ${known.join(", ")}.`);
}
