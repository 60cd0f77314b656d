/** What a YAML scalar without quotes stands for. */
export type PlainValue = string | number | boolean | null;

const words: ReadonlyMap<string, PlainValue> = new Map<string, PlainValue>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, Number.NaN] as const),
  ...[".inf", ".Inf", ".INF"].flatMap((word) => [
    [word, Number.POSITIVE_INFINITY] as const,
    [`+${word}`, Number.POSITIVE_INFINITY] as const,
    [`-${word}`, Number.NEGATIVE_INFINITY] as const,
  ]),
]);

/** Whole numbers as nearly all are, which a number holds exactly. */
const usual = /^(?:0|[1-9][0-9]{0,14})$/;
const integer = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const timestamp = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt\s])/;

/**
 * Reads a plain scalar as the API server of Kubeflow Pipelines does (gopkg.in/yaml.v3 into untyped values): words and
 * numbers of YAML 1.2 plus the integers of YAML 1.1, `yes` and `on` as text. Times stay text.
 */
export function readPlain(text: string): PlainValue {
  const first = text.charCodeAt(0);
  const isNumeric = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e;
  if (!isNumeric) {
    // Words start with one of ~ t T f F n N, or are empty.
    return text === "" || "~tTfFnN".includes(text.charAt(0)) ? wordOrText(text) : text;
  }
  if (usual.test(text)) return Number(text);
  if (timestamp.test(text)) return text;
  // Underscores may stand between digits, but not in what starts with a point.
  const digits = first === 0x2e ? text : text.replaceAll("_", "");
  const whole = wholeNumber(digits);
  if (whole !== undefined && whole < 2n ** 64n && whole >= -(2n ** 63n)) return Number(whole);
  if (!float.test(digits)) return wordOrText(text);
  const value = Number(digits);
  return Number.isFinite(value) ? value : text;
}

function wordOrText(text: string): PlainValue {
  const value = words.get(text);
  return value === undefined ? text : value;
}

/** The integer that a plain scalar writes, with all its digits. */
export function readPlainInteger(text: string): bigint | undefined {
  return wholeNumber(text.replaceAll("_", ""));
}

/** No number in range has more digits, zeros before it aside; larger ones take more than linear time. */
const mostDigits = 400;

function wholeNumber(digits: string): bigint | undefined {
  const [, sign, written = ""] = integer.exec(digits) ?? [];
  if (sign === undefined) return undefined;
  const isLong = written.length > mostDigits;
  const magnitude = isLong ? written.replace(/^(0[xXbBoO]?)0*(?=[0-9a-fA-F])/, "$1") : written;
  if (magnitude.length > mostDigits) return undefined;
  const value = BigInt(/^0[0-7]/.test(magnitude) ? `0o${magnitude.slice(1)}` : magnitude);
  return sign === "-" ? -value : value;
}

const sdkBoolean = /^(?:yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/;
const sdkInteger = /^[-+]?(?:0b[01_]+|0[0-7_]*|[1-9][0-9_]*|0x[0-9a-fA-F_]+)$/;
const sdkFloat = /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/;
const sdkBase60 = /^[-+]?(?:[1-9][0-9_]*(?::[0-5]?[0-9])+|[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*)$/;

function isSdkNumber(text: string): boolean {
  return sdkInteger.test(text) || sdkFloat.test(text) || sdkBase60.test(text);
}

/**
 * What another reader takes a plain scalar for, where that is something else than {@link readPlain} says: `"a boolean"`,
 * `"a number"` or `"text"` for the Python SDK (PyYAML), `"a time"` for the one or the other.
 */
export function otherReading(text: string, value: PlainValue): string | undefined {
  if (typeof value === "string") {
    if (sdkBoolean.test(value)) return "a boolean";
    const first = value.charCodeAt(0);
    if (first > 0x39 || first < 0x2b) return undefined;
    if (timestamp.test(value)) return "a time";
    return isSdkNumber(value) ? "a number" : undefined;
  }
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return isSdkNumber(text) ? undefined : "text";
}
