const isMessage: unique symbol = Symbol("message");

/**
 * A protobuf message for an expression: every field has a value, and `has()` still tells which ones were set. Fields that are
 * empty were not set.
 */
export function createMessage(fields: Readonly<Record<string, unknown>>): object {
  return Object.assign(Object.create(null), fields, { [isMessage]: true });
}

/** Does a message have a field that was set, or a map a key? */
export function hasField(value: object, name: string): boolean {
  if (value instanceof Map) return value.has(name);
  if (!Object.hasOwn(value, name)) return false;
  return !(isMessage in value) || !isUnset(Reflect.get(value, name));
}

function isUnset(value: unknown): boolean {
  if (value === "" || value === 0 || value === 0n) return true;
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Map) return value.size === 0;
  if (isMessage in value) return Object.values(value).every(isUnset);
  return Object.keys(value).length === 0;
}
