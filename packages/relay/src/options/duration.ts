/** A time span: milliseconds as a number, or text such as `"30s"`, `"1m30s"`, `"1.5h"`, `"250ms"`. */
export type Duration = number | string;

const unitMs = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

const hundredYearsMs = 100 * 365 * 24 * 3_600_000;

/**
 * Turns a time span into whole milliseconds, or gives `undefined` when it is none: negative ones are none, nor those
 * below a millisecond other than zero, and those beyond a hundred years.
 */
export function parseDuration(value: unknown): number | undefined {
  const ms = exactMs(value);
  const isSpan = ms !== undefined && (ms === 0 || ms >= 1) && ms <= hundredYearsMs;
  return isSpan ? Math.round(ms) : undefined;
}

function exactMs(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.length > 50) return undefined;
  if (value === "0") return 0;
  let total = 0;
  let end = 0;
  for (const match of value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gy)) {
    const [text, amount, unit = ""] = match;
    total += Number(amount) * (unitMs.get(unit) ?? Number.NaN);
    end += text.length;
  }
  return end > 0 && end === value.length ? total : undefined;
}
