/** A point in time to the nanosecond. */
export interface Instant {
  readonly milliseconds: number;
  /** Nanoseconds within the millisecond, 0 to 999,999. */
  readonly nanoseconds: number;
}

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d{1,2}):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Reads a number as milliseconds since 1970, or a string as an RFC 3339 date-time. As in the reference evaluator an hour
 * may have one digit, seconds may be 60, and days beyond the month's end run on into the next. Undefined otherwise.
 */
export function parseInstant(value: unknown): Instant | undefined {
  if (typeof value === "number") return { milliseconds: Math.trunc(value), nanoseconds: 0 };
  if (typeof value !== "string") return undefined;
  const found = DATE_TIME.exec(value);
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", sign, offsetHours, offsetMinutes] = found;
  const inRange =
    between(month, 1, 12) &&
    between(day, 1, 31) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) <= 60;
  if (!inRange || Number(offsetMinutes ?? 0) >= 60) return undefined;
  const nanoseconds = Number(fraction.padEnd(9, "0"));
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second), Math.floor(nanoseconds / 1e6));
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60_000;
  return {
    milliseconds: date.getTime() + (sign === "-" ? offset : -offset),
    nanoseconds: nanoseconds % 1e6,
  };
}

/** Negative when `a` is earlier, 0 when both are the same. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.milliseconds - b.milliseconds || a.nanoseconds - b.nanoseconds;
}

function between(digits: string | undefined, low: number, high: number): boolean {
  const value = Number(digits);
  return value >= low && value <= high;
}
