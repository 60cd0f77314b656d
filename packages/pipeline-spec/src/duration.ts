import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import { checkArguments } from "./check-arguments.js";
import type { MessageCodec } from "./message-codec.js";

/** A length of time as JSON writes it: seconds with up to nine decimals and an `s`, such as `"30s"` or `"-1.5s"`. */
export type Duration = string;

/** Longest duration in seconds: about 10,000 years. */
export const longestDuration = 315_576_000_000;

const durationText = /^(-?)(\d{1,19})(?:\.(\d{1,9}))?s$/;

/** The nanoseconds of a duration; undefined when the text is none, or a longer one than there are. */
export function nanosOfDuration(text: string): bigint | undefined {
  const [, sign = "", whole = "", fraction = ""] = durationText.exec(text) ?? [];
  if (whole === "") return undefined;
  const size = BigInt(whole + fraction.padEnd(9, "0"));
  return sign === "" ? size : -size;
}

/** The duration of so many nanoseconds, with 0, 3, 6 or 9 decimals. */
export function durationFromNanos(nanos: bigint): Duration {
  const digits = String(nanos < 0n ? -nanos : nanos).padStart(10, "0");
  const fraction = digits.slice(-9).replace(/(?:000){1,3}$/, "");
  return `${nanos < 0n ? "-" : ""}${digits.slice(0, -9)}${fraction === "" ? "" : `.${fraction}`}s`;
}

/** The milliseconds of a duration. Throws a `TypeError` when the text is none. */
export function durationMs(duration: Duration): number {
  checkArguments("durationMs", "text", { duration });
  return Number(nanosOf(duration, "durationMs")) / 1e6;
}

function nanosOf(duration: Duration, caller = "Duration"): bigint {
  const nanos = nanosOfDuration(duration);
  if (nanos === undefined) {
    throw new TypeError(
      `${JSON.stringify(duration)} is not a duration, which ${caller} takes: write it as seconds, such as "30s"`,
    );
  }
  return nanos;
}

const second = 1_000_000_000n;

/** Durations in binary are messages with seconds and nanoseconds. */
export const Duration: MessageCodec<Duration> = {
  encode(message, writer = new BinaryWriter()) {
    const nanos = nanosOf(message);
    if (nanos / second !== 0n) writer.uint32(8).int64(nanos / second);
    if (nanos % second !== 0n) writer.uint32(16).int32(Number(nanos % second));
    return writer;
  },
  decode(input, length) {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const end = length === undefined ? reader.len : reader.pos + length;
    let nanos = 0n;
    let seconds = 0n;
    while (reader.pos < end) {
      const tag = reader.uint32();
      if (tag === 8) seconds = BigInt(reader.int64());
      else if (tag === 16) nanos = BigInt(reader.int32());
      else if (tag === 0 || (tag & 7) === 4) break;
      else reader.skip(tag & 7);
    }
    return durationFromNanos(seconds * second + nanos);
  },
  create: (base = "0s") => base,
};
