import { isObject, sortedMembers } from "@wye/pipeline-spec";

/** The texts of literals, of which there may be as many as values that are compared with them. */
const textsOf = new WeakMap<readonly unknown[], ReadonlySet<string>>();

function textsFor(literals: readonly unknown[]): ReadonlySet<string> {
  const texts = textsOf.get(literals) ?? new Set(literals.map(sortedText));
  textsOf.set(literals, texts);
  return texts;
}

/** True for a value that is one of the literals. */
export const isLiteral = (value: unknown, literals: readonly unknown[]): boolean =>
  textsFor(literals).has(sortedText(value));

/** Lists that have nothing in common: many tasks may connect the same two. */
const apart = new WeakMap<readonly unknown[], WeakMap<readonly unknown[], boolean>>();

/** True for two lists of literals with one in common. */
export function haveCommon(some: readonly unknown[], others: readonly unknown[]): boolean {
  const known = apart.get(some) ?? new WeakMap<readonly unknown[], boolean>();
  apart.set(some, known);
  let isApart = known.get(others);
  if (isApart === undefined) {
    const [less, more] = [textsFor(some), textsFor(others)].sort((a, b) => a.size - b.size);
    isApart = ![...(less ?? [])].some((text) => more?.has(text));
    known.set(others, isApart);
  }
  return !isApart;
}

/** JSON that is the same for equal values. */
function sortedText(json: unknown): string {
  return JSON.stringify(json, (_, value: unknown) => (isObject(value) ? sortedMembers(value) : value));
}
