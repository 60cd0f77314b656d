/** True for an object that is not a list. */
export function isObject(json: unknown): json is { readonly [key: string]: unknown } {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** True when two JSON values are equal: `1` equals `1.0`, and the order of keys does not count. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => jsonEquals(item, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && jsonEquals(a[key], b[key]));
}

/** A value as a message to people names it: `the number 3`, `a list`. */
export function describeValue(json: unknown): string {
  if (json === null) return "null";
  if (Array.isArray(json)) return "a list";
  if (typeof json === "object") return "an object";
  if (typeof json === "string")
    return `the text ${JSON.stringify(json.length > 40 ? `${json.slice(0, 40)}…` : json)}`;
  if (typeof json === "number" || typeof json === "bigint") return `the number ${json}`;
  return typeof json === "boolean" ? String(json) : `a value of type ${typeof json}`;
}
