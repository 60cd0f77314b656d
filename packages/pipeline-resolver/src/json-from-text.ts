import { maxJsonDepth, tooDeep } from "./json-depth.js";

/** JSON that a text holds, or why it holds none. Texts come from containers and from other people. */
export type JsonFromText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

/** Reads JSON from a text of unknown origin. */
export function jsonFromText(text: string): JsonFromText {
  if (isNestedTooDeep(text)) return { ok: false, reason: `it is ${tooDeep}` };
  try {
    const value: unknown = JSON.parse(text);
    if (mayBeInfinite.test(text) && !isBounded(value)) {
      return { ok: false, reason: "a number in it is beyond all bounds" };
    }
    return { ok: true, value };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : "it cannot be read" };
  }
}

/** What numbers have that are too large for a double. */
const mayBeInfinite = /[eE]\+?\d{3}|\d{309}/;

/** True when every number in a JSON value is one that JSON can write again. Depth is bounded before. */
function isBounded(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isBounded);
}

function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') quoted = !quoted;
    else if (quoted) i += char === "\\" ? 1 : 0;
    else if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    if (depth > maxJsonDepth) return true;
  }
  return false;
}
