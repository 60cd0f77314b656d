import { expect, test } from "vitest";
import {
  durationFromText,
  durationOf,
  momentFromSeconds,
  momentFromText,
  nanosAt,
  nanosIn,
  secondsAt,
  textFromDuration,
  textFromMoment,
} from "./cel-time.js";

const none = undefined;

test.each<[seconds: bigint, text: string | undefined]>([
  [-62_135_596_801n, none],
  [-62_135_596_800n, "0001-01-01T00:00:00Z"],
  [-1n, "1969-12-31T23:59:59Z"],
  [0n, "1970-01-01T00:00:00Z"],
  [253_402_300_799n, "9999-12-31T23:59:59Z"],
  [253_402_300_800n, none],
])("%s seconds since 1970 are %s", (seconds, text) => {
  const moment = momentFromSeconds(seconds);
  expect(moment && textFromMoment(moment)).toBe(text);
  expect(moment && secondsAt(moment)).toBe(text && seconds);
});

test.each<[text: string, nanos: bigint | undefined, printed?: string]>([
  ["1970-01-01T00:00:00.000000001Z", 1n],
  ["1970-01-01T00:00:00.1234567899Z", 123_456_789n, "1970-01-01T00:00:00.123456789Z"],
  ["1970-01-01T00:00:00.120Z", 120_000_000n, "1970-01-01T00:00:00.12Z"],
  ["1969-12-31T23:59:59.75Z", -250_000_000n],
  ["1970-01-01T01:30:00+01:30", 0n, "1970-01-01T00:00:00Z"],
  ["1969-12-31T22:30:00-01:30", 0n, "1970-01-01T00:00:00Z"],
  ["9999-12-31T23:59:59.999999999Z", 253_402_300_799_999_999_999n],
  ["9999-12-31T23:59:59-00:01", none],
  ["0001-01-01T00:00:00+00:01", none],
  ["2024-02-29T00:00:00Z", 1_709_164_800_000_000_000n],
  ["2023-02-29T00:00:00Z", none],
  ["2024-13-01T00:00:00Z", none],
  ["2024-00-01T00:00:00Z", none],
  ["2024-01-00T00:00:00Z", none],
  ["2024-01-01T24:00:00Z", none],
  ["2024-01-01T00:60:00Z", none],
  ["2024-01-01T00:00:60Z", none],
  ["1970-01-02T00:00:00+23:59", 60_000_000_000n, "1970-01-01T00:01:00Z"],
  ["2024-01-01T00:00:00+24:00", none],
  ["2024-01-01T00:00:00-00:60", none],
  ["2024-01-99T00:00:00Z", none],
  ["2024-01-01T00:00:00", none],
  ["2024-01-01T00:00:00.Z", none],
  ["2024-01-01t00:00:00z", none],
  ["2024-01-01", none],
  ["", none],
])("the text %j is %s nanoseconds since 1970", (text, nanos, printed = text) => {
  const moment = momentFromText(text);
  expect(moment && nanosAt(moment)).toBe(nanos);
  expect(moment && textFromMoment(moment)).toBe(moment && printed);
});

const most = 2n ** 63n - 1n;

test.each<[text: string, nanos: bigint | undefined]>([
  ["0", 0n],
  ["-0", 0n],
  ["1h1m1s1ms1us1ns", 3_661_001_001_001n],
  ["1µs1μs", 2000n],
  ["-1h2.5s", -3_602_500_000_000n],
  ["+.5s", 500_000_000n],
  ["1.s", 1_000_000_000n],
  ["1.99ns", 1n],
  // Go reads the digits of a fraction as a double.
  ["1.9999999999999999999ns", 2n],
  [`${most}ns`, most],
  [`${most + 1n}ns`, none],
  [`-${most + 1n}ns`, -most - 1n],
  [`-${most + 2n}ns`, none],
  ["1", none],
  ["00", none],
  ["", none],
  ["-", none],
  ["s", none],
  [".s", none],
  ["1d", none],
  ["1S", none],
  ["1 s", none],
  ["--1s", none],
  ["1s-1s", none],
])("the text %j is a duration of %s nanoseconds", (text, nanos) => {
  const duration = durationFromText(text);
  expect(duration && nanosIn(duration)).toBe(nanos);
});

test.each<[nanos: bigint, text: string]>([
  [0n, "0s"],
  [1n, "0.000000001s"],
  [-10n, "-0.00000001s"],
  [999n, "0.000000999s"],
  [1000n, "0.000001s"],
  [1_500_000_000n, "1.5s"],
  [-1_500_000_000n, "-1.5s"],
  [90_000_000_000n, "90s"],
])("a duration of %s nanoseconds is printed %s", (nanos, text) => {
  const duration = durationOf(nanos);
  expect(duration && textFromDuration(duration)).toBe(text);
});
