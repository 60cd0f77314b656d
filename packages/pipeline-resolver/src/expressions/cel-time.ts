import { Duration } from "@marcbachmann/cel-js/evaluator";

// The engine keeps points in time to the millisecond, takes days that there are not, and knows no bounds. The back end keeps
// nanoseconds: of points in time from the year 1 to 9999, of durations in 64 bits.

const second = 1_000_000_000n;
const millisecond = 1_000_000n;
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;
const maxDuration = 2n ** 63n - 1n;

/** A point in time to the nanosecond. The engine takes it for one of its own, which it knows by their constructor. */
export class Moment extends Date {
  /** Nanoseconds since 1970. */
  readonly nanos: bigint;

  private constructor(nanos: bigint) {
    super(Number(floor(nanos, millisecond)));
    this.nanos = nanos;
  }

  /** The point in time, if it lies within the years 1 to 9999. */
  static at(nanos: bigint): Moment | undefined {
    const seconds = floor(nanos, second);
    return seconds < minSeconds || seconds > maxSeconds ? undefined : new Moment(nanos);
  }
}
Object.defineProperty(Moment.prototype, "constructor", { value: Date });

const floor = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by;

/** The nanoseconds since 1970 of a point in time. */
export const nanosAt = (moment: Date): bigint =>
  moment instanceof Moment ? moment.nanos : BigInt(moment.getTime()) * millisecond;

/** The nanoseconds of a duration. */
export const nanosIn = ({ seconds, nanos }: Duration): bigint => seconds * second + BigInt(nanos);

/** A duration of so many nanoseconds, if they fit into 64 bits. */
export function durationOf(nanos: bigint): Duration | undefined {
  if (nanos > maxDuration || nanos < -maxDuration - 1n) return undefined;
  return new Duration(nanos / second, Number(nanos % second));
}

/** `timestamp(int)`: seconds since 1970. */
export const momentFromSeconds = (seconds: bigint): Moment | undefined => Moment.at(seconds * second);

/** Seconds since 1970, rounded down. */
export const secondsAt = (moment: Date): bigint => floor(nanosAt(moment), second);

const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** `timestamp(text)`: a date and time of RFC 3339 as Go reads them; undefined for anything else. */
export function momentFromText(text: string): Moment | undefined {
  const [, year, month, day, hour, minute, sec, fraction = "", sign, zoneHour = "0", zoneMinute = "0"] =
    form.exec(text) ?? [];
  if (year === undefined) return undefined;
  const midnight = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // A day that a month does not have is one of another month.
  if (new Date(midnight).getUTCMonth() !== Number(month) - 1) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(sec) > 59) return undefined;
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return undefined;
  const clock = BigInt(midnight) / 1000n + BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(sec));
  const offset = BigInt(Number(zoneHour) * 3600 + Number(zoneMinute) * 60);
  const seconds = sign === "-" ? clock + offset : clock - offset;
  return Moment.at(seconds * second + BigInt(fraction.slice(0, 9).padEnd(9, "0")));
}

/** `string(timestamp)`: without zeros at the end of the fraction. */
export function textFromMoment(moment: Date): string {
  const nanos = ((nanosAt(moment) % second) + second) % second;
  const fraction = nanos === 0n ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  return moment.toISOString().replace(/\.\d{3}Z$/, `${fraction}Z`);
}

/** `string(duration)`: seconds as Go prints a double without an exponent. */
export function textFromDuration(duration: Duration): string {
  const value = Number(duration.seconds) + duration.nanos / 1e9;
  const text = value !== 0 && Math.abs(value) < 1e-6 ? value.toFixed(9).replace(/0+$/, "") : String(value);
  return `${text}s`;
}

const units: Readonly<Record<string, number>> = {
  h: 3_600_000_000_000,
  m: 60_000_000_000,
  s: 1_000_000_000,
  ms: 1_000_000,
  us: 1_000,
  µs: 1_000,
  μs: 1_000,
  ns: 1,
};

/** `duration(text)`: numbers with units as Go reads them, such as `-1h2.5s`; undefined for anything else. */
export function durationFromText(text: string): Duration | undefined {
  const unsigned = text.replace(/^[+-]/, "");
  if (unsigned === "0") return durationOf(0n);
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:h|ms|m|s|us|µs|μs|ns))+$/.test(unsigned)) return undefined;
  let total = 0n;
  for (const [, whole = "", fraction = "", name = ""] of unsigned.matchAll(/(\d*)(?:\.(\d*))?(\D+)/g)) {
    const unit = units[name] ?? 0;
    total += BigInt(whole) * BigInt(unit) + fractionOf(fraction, unit);
  }
  return durationOf(text.startsWith("-") ? -total : total);
}

/** Go multiplies the digits that fit into 63 bits, as doubles, and cuts off. */
function fractionOf(digits: string, unit: number): bigint {
  const kept = digits.slice(0, 18);
  return kept === "" ? 0n : BigInt(Math.trunc(Number(kept) * (unit / 10 ** kept.length)));
}
