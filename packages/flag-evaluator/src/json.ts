/** Anything that JSON text can say. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A JSON object whose members have not been looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object (and neither an array nor null). */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The own member of that name. Names such as `__proto__` and `toString` are data like all others. */
export function member(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/**
 * JSON text in which everything beyond ASCII is escaped: its length is its size in bytes, and the engine keeps one byte
 * per character.
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value ?? null).replace(/[\u0080-\uffff]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** How messages name the type of a JSON value. */
export function describeType(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
