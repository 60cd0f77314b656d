import { describeType, type Fields, isFields, member } from "../json.js";
import type { ContextPart } from "./context.js";
import { type ContextFailure, failure } from "./context-failure.js";

/** What the members of an old user must be. */
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

/** Those that are attributes. */
const builtIn = [...shapes].flatMap(([name, shape]) => (shape === "string" ? [name] : []));

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
  for (const [name, shape] of shapes) {
    const value = member(fields, name) ?? undefined;
    if (value === undefined || typeOf(value) === shape) continue;
    const message = `expected ${withArticle(shape)} or null, got ${describeType(value)}`;
    return failure("invalid", `/${name}`, message);
  }
  const { name, secondary, anonymous } = fields;
  return {
    kind: "user",
    key,
    name: typeof name === "string" ? name : undefined,
    anonymous: anonymous === true,
    attributes: attributesOf(fields),
    secondary: typeof secondary === "string" ? secondary : undefined,
  };
}

/**
 * The attributes: the members of `custom`, which may be very many and are not copied, beside those that are built in. Names
 * that mean the part itself are never asked for here.
 */
function attributesOf(fields: Fields): Fields {
  const custom = member(fields, "custom");
  const attributes: Record<string, unknown> = isFields(custom) ? custom : {};
  const given = builtIn.filter((name) => typeof member(fields, name) === "string");
  const shared = given.some((name) => Object.hasOwn(attributes, name));
  // Where two have one name the later in the text counts.
  const order = shared ? Object.keys(fields) : [];
  for (const name of given) {
    const isEarlier = order.indexOf(name) < order.indexOf("custom");
    if (!isEarlier || !Object.hasOwn(attributes, name)) attributes[name] = fields[name];
  }
  return attributes;
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

function withArticle(shape: string): string {
  return /^[aeiou]/.test(shape) ? `an ${shape}` : `a ${shape}`;
}
