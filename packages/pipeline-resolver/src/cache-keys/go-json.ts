import { maxJsonDepth } from "../json-depth.js";
import { sortedKeys } from "../render-value.js";

const deepest = 2 * maxJsonDepth;

/**
 * JSON in the bytes that Go's encoder writes for a map: compact, keys sorted, and `<`, `>`, `&` and the two line separators of
 * Unicode escaped, because the result may stand in a web page.
 */
export function goJson(value: unknown, depth = 0): string {
  // What a run is given has passed through functions that allow less.
  if (depth > deepest) throw new TypeError(`a value of a cache key is nested deeper than ${deepest} levels`);
  if (typeof value === "string") return goString(value);
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : (JSON.stringify(value) ?? "null");
  if (Array.isArray(value)) return `[${value.map((one) => goJson(one, depth + 1)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  let members = "";
  for (const key of sortedKeys(value)) {
    const one: unknown = Reflect.get(value, key);
    if (one !== undefined)
      members += `${members === "" ? "" : ","}${goString(key)}:${goJson(one, depth + 1)}`;
  }
  return `{${members}}`;
}

function goString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
