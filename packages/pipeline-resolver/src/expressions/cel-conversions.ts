const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

/** The whole number, if it is one of CEL's 64-bit integers. */
export const int64 = (value: bigint): bigint | undefined =>
  value >= minInt && value <= maxInt ? value : undefined;

/** `int(text)`: decimal digits with an optional sign; undefined for anything else. */
export function intFromText(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,40}$/.test(text)) return undefined;
  return int64(BigInt(text.replace("+", "")));
}

/** `int(double)`: cuts off the fraction; undefined outside of 64 bits. The bounds themselves are out, as in cel-go. */
export function intFromDouble(value: number): bigint | undefined {
  return value > -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : undefined;
}

const special: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
};

/** `uint(number)`: cuts off the fraction; undefined below zero and outside of 64 bits. */
export function uintFrom(value: bigint | number): bigint | undefined {
  if (!(value >= 0 && value < 2 ** 64)) return undefined;
  return typeof value === "bigint" ? value : BigInt(Math.trunc(value));
}

/** `uint(text)`: decimal digits; undefined for anything else. */
export function uintFromText(text: string): bigint | undefined {
  return /^\d{1,40}$/.test(text) ? uintFrom(BigInt(text)) : undefined;
}

/** `double(text)`: a decimal number, or an infinity, or not a number; undefined for anything else. */
export function doubleFromText(text: string): number | undefined {
  const unsigned = text.replace(/^[+-]/, "").toLowerCase();
  if (Object.hasOwn(special, unsigned))
    return (text.startsWith("-") ? -1 : 1) * (special[unsigned] ?? Number.NaN);
  if (!/^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/.test(unsigned)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** `bool(text)`: the spellings that Go knows. */
export function boolFromText(text: string): boolean | undefined {
  if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return true;
  if (["0", "f", "F", "false", "FALSE", "False"].includes(text)) return false;
  return undefined;
}

/** `string(double)`, as Go prints `%g`: shortest digits, with an exponent of at least two digits from 1e+06 and below 1e-04. */
export function textFromDouble(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const magnitude = Math.abs(value);
  if (Number.isNaN(value) || (magnitude < 1e6 && magnitude >= 1e-4)) return String(value);
  const [digits = "", exponent = "+0"] = value.toExponential().split("e");
  return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, "0")}`;
}
