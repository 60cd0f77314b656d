import type { Parsed, ValueType } from "./value-types.js";

const unitMs = new Map([
  ["ns", 1e-6],
  ["us", 1e-3],
  ["µs", 1e-3],
  ["μs", 1e-3],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);
/** What 64 bits of nanoseconds hold. */
const longestMs = 2 ** 63 / 1e6;

/** A span of time in milliseconds; it may be negative. */
export const duration: ValueType<number> = {
  name: "duration",
  parse(text) {
    const [, sign, amount = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
    const ms = amount === "0" ? 0 : sumOf(amount, unitMs);
    if (ms === undefined || ms >= longestMs)
      return { problem: 'not a valid duration (must use format "1ms", "1s", "1m", etc.)' };
    return { value: sign === "-" && ms > 0 ? -ms : ms };
  },
  print: printDuration,
};

const longUnits = [
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
] as const;

function printDuration(ms: number): string {
  if (ms < 0) return `-${printDuration(-ms)}`;
  const unit = longUnits.find(([, size]) => ms % size === 0) ?? (["ms", 1] as const);
  return ms === 0 ? "0" : `${ms / unit[1]}${unit[0]}`;
}

const unitBytes = new Map([
  ["b", 1],
  ...["k", "m", "g", "t", "p", "e"].flatMap((letter, index) => {
    const size = 1024 ** (index + 1);
    return [`${letter}b`, `${letter}ib`].map((unit) => [unit, size] as const);
  }),
]);

/** A number of bytes; as in the reference KB and KiB are both 1024 of them. */
export const size: ValueType<number> = {
  name: "size",
  parse(text): Parsed<number> {
    const bytes = sumOf(text.toLowerCase(), unitBytes);
    return bytes === undefined ? { problem: "not a valid base-2 byte size" } : { value: Math.round(bytes) };
  },
  print(bytes) {
    const [unit, factor] =
      [["GiB", 1024 ** 3] as const, ["MiB", 1024 ** 2] as const, ["KiB", 1024] as const].find(
        ([, one]) => bytes > 0 && bytes % one === 0,
      ) ?? (["B", 1] as const);
    return `${bytes / factor}${unit}`;
  },
};

const longestText = 100;

/** The sum of amounts with units, one after another: `1m30s`. */
function sumOf(text: string, units: ReadonlyMap<string, number>): number | undefined {
  if (text.length > longestText) return undefined;
  let total = 0;
  let end = 0;
  for (const [part, amount, unit = ""] of text.matchAll(/(\d+(?:\.\d*)?|\.\d+)([a-zµμ]+)/gy)) {
    total += Number(amount) * (units.get(unit) ?? Number.NaN);
    end += part.length;
  }
  return end > 0 && end === text.length && Number.isFinite(total) ? total : undefined;
}
