import { isObject } from "./parameter-kind.js";

/** True when two JSON values are equal; the order of keys does not count. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, position) => isSameJson(item, b[position]));
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]));
  }
  return a === b;
}
