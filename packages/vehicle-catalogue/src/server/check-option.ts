import { isRecord, show } from "../records/check-value.js";

/** What an option may be, in the words of its message. */
type Kind = "an object" | "a function" | "true or false" | "a text" | "a list";

const isOfKind: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  "an object": isRecord,
  "a function": (value) => typeof value === "function",
  "true or false": (value) => typeof value === "boolean",
  "a text": (value) => typeof value === "string",
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

/** Throws unless an option is an object that has no other members than these. */
export function checkMembers(name: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((member) => !known.includes(member));
  if (unknown === undefined) return;
  throw new TypeError(`${name} has no ${show(unknown)}; it has ${known.join(", ")}.`);
}
