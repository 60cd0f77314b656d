import { textFromMoment } from "./cel-time.js";

/** A value that a parameter can have, or why the result of a selector cannot be one. */
export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

/**
 * Turns what a selector gave into JSON as the back end does: integers become numbers, lists and maps are taken only if
 * they stood in the value (`given`) and were not made by the expression.
 */
export function jsonFromResult(value: unknown, given: readonly unknown[]): JsonResult {
  switch (typeof value) {
    case "string":
    case "boolean":
      return { ok: true, value };
    case "number":
      return Number.isFinite(value) ? { ok: true, value } : refuse(`the number ${value}`);
    case "bigint":
      return { ok: true, value: Number(value) };
    case "object": {
      if (value === null) return { ok: true, value };
      // An unsigned integer of the engine.
      if (typeof value.valueOf() === "bigint") return { ok: true, value: Number(value) };
      if (!isPlain(value)) return refuse("a value of this type");
      if (given.some((one) => contains(one, value))) return { ok: true, value: plain(value) };
      return refuse("a list or map that the expression itself made");
    }
    default:
      return refuse("a value of this type");
  }
}

const refuse = (what: string): JsonResult => ({ ok: false, reason: `${what} cannot be a parameter` });

function isPlain(value: object): boolean {
  if (Array.isArray(value) || value instanceof Map) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function contains(whole: unknown, part: object): boolean {
  if (whole === part) return true;
  if (typeof whole !== "object" || whole === null) return false;
  const members: readonly unknown[] = whole instanceof Map ? [...whole.values()] : Object.values(whole);
  return members.some((member) => contains(member, part));
}

/** Undoes what was done to the value for the engine. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [key, plain(one)]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

/** Any value of CEL as JSON, for people: integers that a number cannot hold and values of other types are texts. */
export function readableValue(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map(readableValue);
  if (typeof value !== "object" || value === null) return value;
  // The text of a date would be that of the machine's time zone.
  if (value instanceof Date) return textFromMoment(value);
  if (!isPlain(value)) return String(value);
  const entries: readonly (readonly [unknown, unknown])[] =
    value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, one]) => [String(key), readableValue(one)]));
}
