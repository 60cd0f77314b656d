import { RelayError } from "../error.js";

/** Members of an object that came from outside. */
export type Fields = Readonly<Record<string, unknown>>;

/** Data that do not have the shape of the protocol. */
export function malformed(message: string, cause?: unknown): RelayError {
  return new RelayError("malformed_data", message, { cause });
}

/** Gives the members of an object; throws when it is none. */
export function demandFields(value: unknown, what: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    // Any object has members; each of them is looked at when it is read.
    return value as Fields;
  }
  throw malformed(`${what} is not an object`);
}

/** A member that is text; empty when there is none. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name] ?? "";
  if (typeof value === "string") return value;
  throw malformed(`"${name}" is not text`);
}

/** A member that is a whole number; 0 when there is none. */
export function integerOf(fields: Fields, name: string): number {
  const value = fields[name] ?? 0;
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw malformed(`"${name}" is not a whole number`);
}

/** A member that is true or false; false when there is none. */
export function truthOf(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value === "boolean") return value;
  throw malformed(`"${name}" is not true or false`);
}
