import { maxJsonDepth, tooDeep } from "./json-depth.js";

/** JSON that a text holds, or why it holds none. Texts come from containers and from other people. */
export type JsonFromText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

/** Reads JSON from a text of unknown origin, as strictly as the back end: no name twice in an object, no half characters. */
export function jsonFromText(text: string): JsonFromText {
  const refuse = (reason: string): JsonFromText => ({ ok: false, reason });
  const { depth, members } = measure(text);
  if (depth > maxJsonDepth) return refuse(`it is ${tooDeep}`);
  try {
    const value: unknown = JSON.parse(text);
    if (mayBeInfinite.test(text) && !every(value, isFiniteNumber)) {
      return refuse("a number in it is beyond all bounds");
    }
    if (mayBeHalf.test(text) && !every(value, isWhole)) {
      return refuse("half of a surrogate pair in it is not a character");
    }
    // Of two members with one name the parser keeps the last.
    if (members > 0 && membersOf(value) < members) return refuse("a name stands twice in an object of it");
    return { ok: true, value };
  } catch (error) {
    return refuse(error instanceof Error ? error.message : "it cannot be read");
  }
}

/** What numbers have that are too large for a double. */
const mayBeInfinite = /[eE]\+?\d{3}|\d{309}/;

/** Where half of a surrogate pair may be, spelt out or as it is. */
const mayBeHalf = /\\u[dD][89a-fA-F]|\p{Surrogate}/u;

const isFiniteNumber = (value: unknown): boolean => typeof value !== "number" || Number.isFinite(value);
const isWhole = (value: unknown): boolean => typeof value !== "string" || value.isWellFormed();

/** True when a test holds for every value and every name in a JSON value. Depth is bounded before. */
function every(value: unknown, test: (value: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null) return test(value);
  if (Array.isArray(value)) return value.every((one) => every(one, test));
  return Object.entries(value).every(([name, one]) => test(name) && every(one, test));
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inside = Object.values(value);
  return inside.reduce<number>(
    (count, one) => count + membersOf(one),
    Array.isArray(value) ? 0 : inside.length,
  );
}

/** How deeply a text nests, until it is too deep, and how many members its objects have: one for each colon outside of texts. */
function measure(text: string): { readonly depth: number; readonly members: number } {
  let [depth, members] = [0, 0];
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') quoted = !quoted;
    else if (quoted) i += char === "\\" ? 1 : 0;
    else if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    else if (char === ":") members++;
    if (depth > maxJsonDepth) break;
  }
  return { depth, members };
}
