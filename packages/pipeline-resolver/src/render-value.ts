/**
 * The text of a parameter value where text is wanted: a string is itself, a number has its shortest digits without an exponent
 * (`3`, never `3.0`), lists and structs are compact JSON with sorted keys, null is empty.
 */
export function renderValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return renderNumber(value);
  if (typeof value === "object") return renderJson(value);
  return String(value);
}

/** Compact JSON with keys in the order of their code points; numbers as JSON writes them. */
export function renderJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  let members = "";
  for (const key of sortedKeys(value)) {
    const one: unknown = Reflect.get(value, key);
    if (one !== undefined) members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${renderJson(one)}`;
  }
  return `{${members}}`;
}

/** The keys of an object in the order of their code points, which most have already. */
export function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  const isSorted = keys.every((key, i) => i === 0 || compareCodePoints(keys[i - 1] ?? "", key) < 0);
  return isSorted ? keys : keys.sort(compareCodePoints);
}

/** The order of the bytes of two texts in UTF-8, which is that of their code points. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

/** All digits: JavaScript switches to an exponent where JSON of the back end does not. */
function renderNumber(value: number): string {
  const text = String(value);
  const [, sign = "", whole = "", fraction = "", exponent = ""] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === "") return Object.is(value, -0) ? "-0" : text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, "0");
}
