import { nearest } from "./did-you-mean.js";
import { describeValue } from "./json-value.js";
import type { EnumShape, ScalarCode } from "./message-table.js";
import type { Reading } from "./reading.js";

/** Reads a value of one type; `undefined` when it is not one, which is then noted. */
export type JsonReader = (json: unknown, reading: Reading) => unknown;

const limits = {
  i: [-(2n ** 31n), 2n ** 31n - 1n, "a 32-bit integer"],
  u: [0n, 2n ** 32n - 1n, "an unsigned 32-bit integer"],
  l: [-(2n ** 63n), 2n ** 63n - 1n, "a 64-bit integer"],
  w: [0n, 2n ** 64n - 1n, "an unsigned 64-bit integer"],
} as const;

const integerText = /^-?(?:0|[1-9]\d*)(?:\.0+)?$/;
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const base64Text = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** Longer texts cannot be a number in range, and are not worth the time that a large integer takes. */
const longestNumber = 400;

/** Notes that something else was expected. */
export function wrongType(reading: Reading, expected: string, json: unknown, hint?: string): undefined {
  return reading.error("wrong-type", `expected ${expected}, got ${describeValue(json)}`, hint);
}

function readText(json: unknown, reading: Reading): string | undefined {
  if (typeof json !== "string") {
    const quotable = typeof json === "number" || typeof json === "boolean";
    const hint = quotable ? "put it in quotes" : reading.formHint?.("text", json, reading.path.at(-1));
    return wrongType(reading, "text", json, hint);
  }
  return json.isWellFormed() ? json : brokenText(reading);
}

/** Notes a text that is not Unicode. */
export function brokenText(reading: Reading): undefined {
  return reading.error(
    "invalid-unicode",
    "the text holds half of a surrogate pair, which is not a character",
  );
}

const booleans = [
  [/^(?:true|yes|on)$/i, "true"],
  [/^(?:false|no|off)$/i, "false"],
] as const;

function readBoolean(json: unknown, reading: Reading): boolean | undefined {
  if (typeof json === "boolean") return json;
  const meant = typeof json !== "string" ? undefined : booleans.find(([names]) => names.test(json))?.[1];
  return wrongType(
    reading,
    "true or false",
    json,
    meant === undefined ? undefined : `write ${meant} without quotes`,
  );
}

function readBytes(json: unknown, reading: Reading): Uint8Array | undefined {
  if (typeof json !== "string" || !base64Text.test(json) || json.replace(/=+$/, "").length % 4 === 1) {
    const got = typeof json === "string" ? "a text that is not" : describeValue(json);
    return reading.error("invalid-base64", `expected bytes as a base64 text, got ${got}`);
  }
  const binary = atob(json.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

function floatReader(round: (value: number) => number): JsonReader {
  return (json, reading) => {
    if (json === "NaN" || json === "Infinity" || json === "-Infinity") return Number(json);
    if (typeof json === "number" && !Number.isFinite(json)) {
      return reading.error(
        "out-of-range",
        `${json} is not a number that JSON has`,
        `write it as text: "${json}"`,
      );
    }
    const number = typeof json === "string" && numberText.test(json) ? Number(json) : json;
    if (typeof number !== "number") return wrongType(reading, "a number", json);
    const value = round(number);
    return Number.isFinite(value)
      ? value
      : reading.error("out-of-range", `${describeValue(json)} is out of range`);
  };
}

function integerReader(code: keyof typeof limits): JsonReader {
  const [lowest, highest, expected] = limits[code];
  const wide = code === "l" || code === "w";
  const inRange = (value: bigint, reading: Reading) => {
    if (value >= lowest && value <= highest) return wide ? String(value) : Number(value);
    return reading.error("out-of-range", `${value} is out of range for ${expected}`);
  };
  return (json, reading) => {
    if (typeof json === "number") {
      if (code === "i" && (json | 0) === json) return json === 0 ? 0 : json;
      if (!Number.isInteger(json)) return wrongType(reading, expected, json);
      if (Number.isSafeInteger(json) || !wide) return inRange(BigInt(json), reading);
      const exact = reading.exactInteger?.(reading.path);
      if (exact !== undefined) return inRange(exact, reading);
      const message = `${json} is too large to be exact as a number`;
      return reading.error("inexact-number", message, "write it as text, in quotes");
    }
    const value = typeof json === "string" ? integerFromText(json) : undefined;
    return value === undefined
      ? wrongType(reading, expected, json, withoutSeconds(json))
      : inRange(value, reading);
  };
}

/** A number of seconds is written as a number where it is no duration. */
function withoutSeconds(json: unknown): string | undefined {
  const [, seconds] = typeof json === "string" ? (/^(\d{1,15}) ?s$/.exec(json) ?? []) : [];
  return seconds === undefined ? undefined : `write ${seconds}`;
}

/** Also takes `1.0` and `1e2`, which are whole. */
function integerFromText(text: string): bigint | undefined {
  if (text.length > longestNumber) return undefined;
  if (integerText.test(text)) return BigInt(text.replace(/\.0+$/, ""));
  const value = numberText.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

/** The reader of each scalar type. */
export const scalarReaders: { readonly [C in ScalarCode]: JsonReader } = {
  s: readText,
  b: readBoolean,
  y: readBytes,
  d: floatReader(Number),
  f: floatReader(Math.fround),
  i: integerReader("i"),
  u: integerReader("u"),
  l: integerReader("l"),
  w: integerReader("w"),
};

/** Reads names and numbers; a number that has no name is kept, as binary keeps it. */
export function enumReader({ name, numbers }: EnumShape): JsonReader {
  return (json, reading) => {
    if (typeof json === "string") {
      const number = numbers.get(json);
      if (number !== undefined) return number;
      if (reading.unknownFields === undefined) return undefined;
      const usable = [...numbers.keys()].filter((one) => !one.endsWith("_UNSPECIFIED"));
      const meant = nearest(json, usable);
      const hint =
        reading.formHint?.(name, json) ??
        (meant === undefined ? `one of ${usable.join(", ")}` : `did you mean "${meant}"?`);
      return reading.note(
        reading.unknownFields,
        "unknown-enum-value",
        `${name} has no value ${describeValue(json).slice(9)}`,
        hint,
      );
    }
    if (typeof json === "number" && (json | 0) === json) return json;
    return wrongType(reading, `the name of a ${name}`, json, reading.formHint?.(name, json));
  };
}

/** Map keys are always text in JSON; this reads the key of a map with keys of type `code`. */
export function mapKeyReader(code: ScalarCode): (key: string, reading: Reading) => unknown {
  if (code === "s") return readText;
  if (code === "b") {
    return (key, reading) => {
      if (key === "true" || key === "false") return key === "true";
      return reading.error(
        "invalid-map-key",
        `expected the key "true" or "false", got ${describeValue(key)}`,
      );
    };
  }
  const read = scalarReaders[code];
  return (key, reading) => {
    if (integerFromText(key) !== undefined) return read(key, reading);
    return reading.error("invalid-map-key", `expected a whole number as the key, got ${describeValue(key)}`);
  };
}
