import type { Duration } from "@marcbachmann/cel-js/evaluator";
import { type CelFunction, type CelValues, ownPrefix } from "./cel-function.js";
import { nanosIn } from "./cel-time.js";

// The engine reads clocks of other zones through the one of the machine, which skips an hour a year, and knows no offsets
// before Node 22.

const timestamp = "google.protobuf.Timestamp";
const duration = "google.protobuf.Duration";
const dayMs = 86_400_000;

/** What can be asked of a point in time, of its clock in UTC. */
const fields: Readonly<Record<string, (clock: Date) => number>> = {
  getFullYear: (clock) => clock.getUTCFullYear(),
  getMonth: (clock) => clock.getUTCMonth(),
  getDate: (clock) => clock.getUTCDate(),
  getDayOfMonth: (clock) => clock.getUTCDate() - 1,
  getDayOfWeek: (clock) => clock.getUTCDay(),
  getDayOfYear: (clock) => Math.floor((clock.getTime() - startOfYear(clock)) / dayMs),
  getHours: (clock) => clock.getUTCHours(),
  getMinutes: (clock) => clock.getUTCMinutes(),
  getSeconds: (clock) => clock.getUTCSeconds(),
  getMilliseconds: (clock) => clock.getUTCMilliseconds(),
};

/** What can be asked of durations too, in nanoseconds. */
const shared: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
};

/** Names of the functions below. */
export const timestampFunctionNames: readonly string[] = Object.keys(fields);

/** The parts of points in time, by UTC or by the clock of a zone. */
export function timestampFunctions({ failure }: Pick<CelValues, "failure">): readonly CelFunction[] {
  return [
    ...Object.entries(fields).flatMap(([name, read]): CelFunction[] => [
      [`${timestamp}.${ownPrefix}${name}(): int`, (moment: Date) => BigInt(read(moment))],
      [
        `${timestamp}.${ownPrefix}${name}(string): int`,
        (moment: Date, zone: string) => {
          const clock = clockIn(zone, moment);
          if (clock === undefined) throw failure("evaluation", `unknown time zone ${JSON.stringify(zone)}`);
          return BigInt(read(clock));
        },
      ],
    ]),
    ...Object.entries(shared).map(
      ([name, nanos]): CelFunction => [
        `${duration}.${ownPrefix}${name}(): int`,
        (value: Duration) => nanosIn(value) / nanos,
      ],
    ),
  ];
}

function startOfYear(clock: Date): number {
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  return new Date(0).setUTCFullYear(clock.getUTCFullYear(), 0, 1);
}

/** The moment at which UTC clocks show what this zone's show at that moment. Zones are names or offsets such as `-02:30`. */
function clockIn(zone: string, moment: Date): Date | undefined {
  const [, sign, hours, minutes] = /^([+-]?)(\d{1,2}):(\d{1,2})$/.exec(zone) ?? [];
  if (hours !== undefined && minutes !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return new Date(moment.getTime() + (sign === "-" ? -offset : offset));
  }
  const format = formatFor(zone);
  if (format === undefined) return undefined;
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const clock = new Date(0);
  clock.setUTCFullYear(part("year"), part("month") - 1, part("day"));
  clock.setUTCHours(part("hour"), part("minute"), part("second"), moment.getUTCMilliseconds());
  return clock;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const maxFormats = 64;

function formatFor(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone === "" ? "UTC" : zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    // Only a zone that does not exist makes it throw.
    return undefined;
  }
  if (formats.size >= maxFormats) formats.clear();
  formats.set(zone, format);
  return format;
}
