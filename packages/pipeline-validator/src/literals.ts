import { isObject } from "@wye/pipeline-spec";

/** The texts of literals, of which there may be as many as values that are compared with them. */
const textsOf = new WeakMap<readonly unknown[], ReadonlySet<string>>();

/** True for a value that is one of the literals. */
export function isLiteral(value: unknown, literals: readonly unknown[]): boolean {
  const texts = textsOf.get(literals) ?? new Set(literals.map(sortedText));
  textsOf.set(literals, texts);
  return texts.has(sortedText(value));
}

/** JSON that is the same for equal values. */
function sortedText(json: unknown): string {
  return JSON.stringify(json, (_, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}
