/** Whom an event is about. */
export interface EventContext {
  readonly kinds: readonly string[];
  /** The key of each kind. */
  readonly keys: Readonly<Record<string, string>>;
  /** Tells contexts apart. */
  readonly fullKey: string;
}

/** More kinds than this are no context of anybody, and cost much to tell apart. */
const mostKinds = 1000;

/**
 * Reads a context or a user of the old form; only kinds and keys are looked at. `undefined` when there are none, or far
 * too many.
 */
export function readEventContext(value: unknown): EventContext | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  if ("kind" in value && value.kind === "multi" && Object.keys(value).length > 1 + mostKinds)
    return undefined;
  const kind: unknown = Object.hasOwn(value, "kind") ? Reflect.get(value, "kind") : "user";
  if (typeof kind !== "string" || kind === "") return undefined;
  // Of a single kind, which may have very many attributes, nothing else is looked at.
  const parts: (readonly [string, unknown])[] =
    kind === "multi" ? Object.entries(value).filter(([name]) => name !== "kind") : [[kind, value]];
  const keys: [string, string][] = [];
  for (const [name, part] of parts) {
    const key: unknown = typeof part === "object" && part !== null ? Reflect.get(part, "key") : undefined;
    if (typeof key !== "string") return undefined;
    keys.push([name, key]);
  }
  if (keys.length === 0) return undefined;
  keys.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    kinds: keys.map(([name]) => name),
    keys: Object.fromEntries(keys),
    fullKey: JSON.stringify(keys),
  };
}
