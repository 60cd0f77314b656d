import type { Fields } from "../json.js";

/** Deeper than any real data, and harmless for functions that go through values by recursion, as JSON.stringify does. */
export const MAX_DEPTH = 500;

export const TOO_DEEP: string = `it is nested more than ${MAX_DEPTH} levels deep`;
export const INFINITE = "it has a number beyond 64-bit floats";

/** What makes a parsed JSON value unusable although it was JSON: too many levels, or a number that became infinite. */
export function jsonFault(value: unknown, depth = 0): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const fault = innerFault(value[i], depth);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  // A list of the values, made for each object, would take longer than all else.
  for (const name in value) {
    const fault = innerFault((value as Fields)[name], depth);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Lists of names are long, and asked for nothing but their type. */
function innerFault(inner: unknown, depth: number): string | undefined {
  if (typeof inner === "string") return undefined;
  if (typeof inner === "number") return Number.isFinite(inner) ? undefined : INFINITE;
  return jsonFault(inner, depth + 1);
}
