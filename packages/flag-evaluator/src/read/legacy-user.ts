import { describeType, type Fields, isFields } from "../json.js";
import type { ContextPart } from "./context.js";
import { type ContextFailure, failure } from "./context-failure.js";

/** Names that mean the part itself and cannot be set through `custom`. */
const reserved = new Set(["kind", "key", "name", "anonymous", "_meta"]);

/** What the members of an old user must be; those with `string` become attributes, others are read by name. */
const shapes: ReadonlyMap<string, "string" | "boolean" | "object" | "array"> = new Map([
  ["name", "string"],
  ["secondary", "string"],
  ["ip", "string"],
  ["country", "string"],
  ["email", "string"],
  ["firstName", "string"],
  ["lastName", "string"],
  ["avatar", "string"],
  ["anonymous", "boolean"],
  ["custom", "object"],
  ["privateAttributeNames", "array"],
]);

/**
 * Reads a user of the form that had no kinds. `custom` members become top-level attributes; where a built-in attribute
 * and a custom one share a name, the later in the text wins. Unlike all other contexts its key may be empty.
 */
export function legacyUser(fields: Fields): ContextPart | ContextFailure {
  if (!Object.hasOwn(fields, "key")) return failure("invalid", "", 'the member "key" is missing');
  const { key } = fields;
  if (typeof key !== "string") {
    return failure("invalid", "/key", `expected a string, got ${describeType(key)}`);
  }
  const attributes: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) {
    const shape = shapes.get(name);
    if (shape === undefined || value === null) continue;
    const type = Array.isArray(value) ? "array" : typeof value;
    if (type !== shape) {
      return failure(
        "invalid",
        `/${name}`,
        `expected ${withArticle(shape)} or null, got ${describeType(value)}`,
      );
    }
    if (isFields(value)) {
      for (const [custom, inner] of Object.entries(value)) {
        if (!reserved.has(custom)) attributes[custom] = inner;
      }
    } else if (shape === "string") attributes[name] = value;
  }
  const { name, secondary, anonymous } = fields;
  return {
    kind: "user",
    key,
    name: typeof name === "string" ? name : undefined,
    anonymous: anonymous === true,
    attributes,
    secondary: typeof secondary === "string" ? secondary : undefined,
  };
}

function withArticle(shape: string): string {
  return /^[aeiou]/.test(shape) ? `an ${shape}` : `a ${shape}`;
}
