/** What a member has to be. `1`: that is looked at elsewhere. */
export type Kind = "a text" | "true or false" | "an object" | 1;

/** The members that options have. Made of their type, they cannot be incomplete. */
export type Members<Options> = { readonly [Name in keyof Options]-?: Kind };

/** Throws for options that are none, for a member of the wrong kind, and for one that nobody reads: what was meant would not hold, and nobody would say so. */
export function checkMembers(name: string, value: unknown, members: Readonly<Record<string, Kind>>): void {
  if (!isObject(value)) throw new TypeError(`${name} needs options that are an object; got ${shown(value)}`);
  for (const [member, given] of Object.entries(value)) {
    const kind = Object.hasOwn(members, member) ? members[member] : undefined;
    if (kind === undefined) {
      const known = Object.keys(members).join(", ");
      throw new TypeError(`${name} has no ${JSON.stringify(member)}. Known are ${known}.`);
    }
    if (kind === 1 || given === undefined || isOfKind[kind](given)) continue;
    throw new TypeError(`${name}: ${member} must be ${kind}; got ${shown(given)}`);
  }
}

const isOfKind: Readonly<Record<Exclude<Kind, 1>, (value: unknown) => boolean>> = {
  "a text": (value) => typeof value === "string",
  "true or false": (value) => typeof value === "boolean",
  "an object": isObject,
};

/** Whether a value has members by name. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in a message: short, and never what is inside. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : String(value);
}
