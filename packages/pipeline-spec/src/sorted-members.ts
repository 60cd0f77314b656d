import { checkArguments } from "./check-arguments.js";

/** A copy of an object with its members in alphabetical order. */
export function sortedMembers<T>(members: { readonly [name: string]: T }): { [name: string]: T } {
  checkArguments("sortedMembers", "object", { members });
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}
