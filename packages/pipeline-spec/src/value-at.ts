import { isObject } from "./json-value.js";

/** What stands at a path of names. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), root);
}
