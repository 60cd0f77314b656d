import { malformedData } from "../error.js";
import { type Fields, isFields } from "../fields.js";

/** Gives the members of an object; throws when it is none. */
export function demandFields(value: unknown, what: string): Fields {
  if (isFields(value)) return value;
  throw malformedData(`${what} is not an object`);
}

/** A member that is text; empty when there is none. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name] ?? "";
  if (typeof value === "string") return value;
  throw malformedData(`"${name}" is not text`);
}

/** A member that is a whole number; 0 when there is none. */
export function integerOf(fields: Fields, name: string): number {
  const value = fields[name] ?? 0;
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw malformedData(`"${name}" is not a whole number`);
}

/** A member that is true or false; false when there is none. */
export function truthOf(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value === "boolean") return value;
  throw malformedData(`"${name}" is not true or false`);
}
