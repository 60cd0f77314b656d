const months = "January February March April May June July August September October November December".split(
  " ",
);
const days = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

const two = (value: number): string => String(value).padStart(2, "0");
const blank = (value: number): string => String(value).padStart(2, " ");
const month = (time: Date): string => months[time.getUTCMonth()] ?? "";
const day = (time: Date): string => days[time.getUTCDay()] ?? "";
const twelve = (time: Date): number => time.getUTCHours() % 12 || 12;
const half = (time: Date): string => (time.getUTCHours() < 12 ? "AM" : "PM");
const dayOfYear = (time: Date): number =>
  Math.floor(
    (Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()) - yearStart(time)) / 864e5,
  ) + 1;

function yearStart(time: Date): number {
  return Date.UTC(time.getUTCFullYear(), 0, 1);
}

type TimeParts = Readonly<Record<string, (time: Date) => string>>;

/** What the reference time of Go stands for, longer ones before those that they begin with. */
const goParts: TimeParts = {
  January: month,
  Jan: (time) => month(time).slice(0, 3),
  Monday: day,
  Mon: (time) => day(time).slice(0, 3),
  MST: () => "UTC",
  "2006": (time) => String(time.getUTCFullYear()),
  "002": (time) => String(dayOfYear(time)).padStart(3, "0"),
  "01": (time) => two(time.getUTCMonth() + 1),
  "02": (time) => two(time.getUTCDate()),
  "03": (time) => two(twelve(time)),
  "04": (time) => two(time.getUTCMinutes()),
  "05": (time) => two(time.getUTCSeconds()),
  "06": (time) => two(time.getUTCFullYear() % 100),
  _2: (time) => blank(time.getUTCDate()),
  "15": (time) => two(time.getUTCHours()),
  PM: half,
  pm: (time) => half(time).toLowerCase(),
  "Z07:00": () => "Z",
  Z0700: () => "Z",
  "-07:00": () => "+00:00",
  "-0700": () => "+0000",
  "-07": () => "+00",
  "1": (time) => String(time.getUTCMonth() + 1),
  "2": (time) => String(time.getUTCDate()),
  "3": (time) => String(twelve(time)),
  "4": (time) => String(time.getUTCMinutes()),
  "5": (time) => String(time.getUTCSeconds()),
};

const goPart =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|2006|002|0[1-6]|_2(?!006)|15|PM|pm|Z07:00|Z0700|-07:00|-0700|-07|[1-5]/g;

/** A time in UTC by a layout of Go, such as `2006-01-02`. */
export function formatGo(time: Date, layout: string): string {
  return layout.replace(goPart, (part) => goParts[part]?.(time) ?? part);
}

const strftimeParts: TimeParts = {
  A: day,
  a: (time) => day(time).slice(0, 3),
  B: month,
  b: (time) => month(time).slice(0, 3),
  C: (time) => two(Math.floor(time.getUTCFullYear() / 100)),
  D: (time) => formatGo(time, "01/02/06"),
  d: (time) => two(time.getUTCDate()),
  e: (time) => blank(time.getUTCDate()),
  F: (time) => formatGo(time, "2006-01-02"),
  H: (time) => two(time.getUTCHours()),
  h: (time) => month(time).slice(0, 3),
  I: (time) => two(twelve(time)),
  j: (time) => String(dayOfYear(time)).padStart(3, "0"),
  k: (time) => blank(time.getUTCHours()),
  l: (time) => blank(twelve(time)),
  M: (time) => two(time.getUTCMinutes()),
  m: (time) => two(time.getUTCMonth() + 1),
  n: () => "\n",
  p: half,
  R: (time) => formatGo(time, "15:04"),
  r: (time) => formatGo(time, "03:04:05 PM"),
  S: (time) => two(time.getUTCSeconds()),
  T: (time) => formatGo(time, "15:04:05"),
  t: () => "\t",
  u: (time) => String(time.getUTCDay() || 7),
  w: (time) => String(time.getUTCDay()),
  Y: (time) => String(time.getUTCFullYear()),
  y: (time) => two(time.getUTCFullYear() % 100),
  Z: () => "UTC",
  z: () => "+0000",
  "%": () => "%",
};

/** A time in UTC by a format of `strftime`, such as `%Y-%m-%d`; what is unknown stays as it is. */
export function formatStrftime(time: Date, format: string): string {
  return format.replace(/%(.)/gs, (all, part: string) =>
    Object.hasOwn(strftimeParts, part) ? (strftimeParts[part]?.(time) ?? all) : all,
  );
}
