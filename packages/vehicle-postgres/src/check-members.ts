/** The names that options have. Made of their type, they cannot be incomplete. */
export type Names<Options> = { readonly [Name in keyof Options]-?: 1 };

/** Throws for options that are none, and for a member that nobody reads: what was meant would not hold, and nobody would say so. */
export function checkMembers(name: string, value: unknown, names: Readonly<Record<string, 1>>): void {
  if (typeof value !== "object" || value === null)
    throw new TypeError(`${name} needs options that are an object`);
  const unknown = Object.keys(value).find((member) => !Object.hasOwn(names, member));
  if (unknown === undefined) return;
  const known = Object.keys(names).join(", ");
  throw new TypeError(`${name} has no ${JSON.stringify(unknown)}. Known are ${known}.`);
}
