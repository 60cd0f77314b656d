import type { ComparedAttribute } from "./attribute-parameters.js";

/** The digits of the largest number that there is, and some behind the point. */
const mostDigits = 350;

/** Reads a plain decimal number; other spellings have no single meaning. */
export function readNumber(text: string): number | undefined {
  return text.length <= mostDigits && /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : undefined;
}

/** Reads a value that an attribute may be compared with. Texts are compared in small letters. */
export function readValue(
  { kind, known }: ComparedAttribute,
  text: string,
): string | number | boolean | undefined {
  if (kind === "number") return readNumber(text);
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  const small = text.toLowerCase();
  return known === undefined || known.some((one) => one.toLowerCase() === small) ? small : undefined;
}

/** Says what an attribute may be compared with. */
export function expectedValue({ kind, known }: ComparedAttribute): string {
  if (kind === "number") return "a decimal number such as 7.5";
  if (kind === "boolean") return "true or false";
  return known === undefined ? "a text" : `one of ${known.join(", ")}`;
}

const isoTime = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/;

/** Reads a time in UTC, written as RFC 3339 has it or as in `Last-Modified`; in milliseconds. */
export function readMoment(text: string): number | undefined {
  const ms = text.length <= 40 ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) return undefined;
  const time = new Date(ms);
  if (time.toUTCString() === text) return ms;
  // The day is compared, because the 30th of February is parsed as one in March.
  return isoTime.test(text) && time.toISOString().slice(0, 19) === text.slice(0, 19) ? ms : undefined;
}
