/** Something within a value that JSON cannot say. */
export interface NoJson {
  /** Its place below the value (`.a[3]`). */
  readonly path: string;
  /** What it is. */
  readonly what: string;
}

/** The first thing within a value, which is nested no deeper than allowed, that JSON cannot say; undefined if it can say all. */
export function findNoJson(value: unknown): NoJson | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : here(String(value));
  if (typeof value === "bigint") return here("a BigInt");
  if (typeof value === "function" || typeof value === "symbol") return here(`a ${typeof value}`);
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = findNoJson(member);
    if (found === undefined) continue;
    const step = Array.isArray(value) ? `[${name}]` : `.${name.slice(0, 100)}`;
    return { path: step + found.path, what: found.what };
  }
  return undefined;
}

function here(what: string): NoJson {
  return { path: "", what };
}
