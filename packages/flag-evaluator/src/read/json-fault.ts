/** Deeper than any real data, and harmless for functions that go through values by recursion, as JSON.stringify does. */
export const MAX_DEPTH = 500;

export const TOO_DEEP: string = `it is nested more than ${MAX_DEPTH} levels deep`;
export const INFINITE = "it has a number beyond 64-bit floats";

/** What makes a parsed JSON value unusable although it was JSON: too many levels, or a number that became infinite. */
export function jsonFault(root: unknown): string | undefined {
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return TOO_DEEP;
    const below: object[] = [];
    for (const value of level) if (hasInfinite(value, below)) return INFINITE;
    level = below;
  }
  return undefined;
}

/** Whether a number in it is infinite; what else it holds that may is noted. Lists of names are long, and asked for nothing but their type. */
function hasInfinite(value: unknown, below: object[]): boolean {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (isInfinite(value[i], below)) return true;
  } else if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) if (isInfinite(inner, below)) return true;
  }
  return false;
}

function isInfinite(inner: unknown, below: object[]): boolean {
  if (typeof inner === "string") return false;
  if (typeof inner === "number") return !Number.isFinite(inner);
  if (typeof inner === "object" && inner !== null) below.push(inner);
  return false;
}
