/** Deeper than any real data, and harmless for functions that go through values by recursion, as JSON.stringify does. */
export const MAX_DEPTH = 500;

export const TOO_DEEP: string = `it is nested more than ${MAX_DEPTH} levels deep`;
export const INFINITE = "it has a number beyond 64-bit floats";

/** What makes a parsed JSON value unusable although it was JSON: too many levels, or a number that became infinite. */
export function jsonFault(root: unknown): string | undefined {
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return TOO_DEEP;
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      for (const inner of Array.isArray(value) ? value : Object.values(value)) {
        if (typeof inner === "object" && inner !== null) below.push(inner);
        else if (typeof inner === "number" && !Number.isFinite(inner)) return INFINITE;
      }
    }
    level = below;
  }
  return undefined;
}
