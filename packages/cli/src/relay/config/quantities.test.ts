import { expect, test } from "vitest";
import { duration, size } from "./quantities.js";

test.each([
  ["0", 0],
  ["-0", 0],
  ["+0", 0],
  ["0s", 0],
  ["-0s", 0],
  ["1ns", 1e-6],
  ["1us", 1e-3],
  ["1µs", 1e-3],
  ["1μs", 1e-3],
  ["1ms", 1],
  ["1s", 1000],
  ["1m", 60_000],
  ["1h", 3_600_000],
  ["1h2m3s", 3_723_000],
  ["3s1h", 3_603_000],
  ["1.5s", 1500],
  ["1.s", 1000],
  [".5s", 500],
  ["-1.5s", -1500],
  ["+2s", 2000],
  ["2562047h", 2_562_047 * 3_600_000],
  ["9223372036854.77ms", 9_223_372_036_854.77],
  [`${"0".repeat(98)}1s`, 1000],
])("%s lasts %s ms", (text, ms) => {
  expect(duration.parse(text, "file")).toEqual({ value: ms });
});

test.each([
  ...["", "1", "s", "1x", "1S", "1s ", " 1s", "1 s", "1s1", "s1", "--1s", "1s-1s", ".s", "1.2.3s", "1s\n"],
  ...["2562048h", "9223372036854.775808ms", `${"9".repeat(98)}h`, `${"0".repeat(99)}1s`],
])("%j lasts nothing", (text) => {
  expect(duration.parse(text, "file")).toEqual({
    problem: 'not a valid duration (must use format "1ms", "1s", "1m", etc.)',
  });
});

test.each([
  [0, "0"],
  [1, "1ms"],
  [999, "999ms"],
  [1000, "1s"],
  [1001, "1001ms"],
  [59_000, "59s"],
  [60_000, "1m"],
  [90_000, "90s"],
  [3_600_000, "1h"],
  [5_400_000, "90m"],
  [7_200_000, "2h"],
  [0.5, "0.5ms"],
  [-1500, "-1500ms"],
  [-60_000, "-1m"],
])("%s ms are shown as %s", (ms, text) => {
  expect(duration.print?.(ms)).toBe(text);
});

test.each([
  ["0B", 0],
  ["1B", 1],
  ["1b", 1],
  ["1KB", 1024],
  ["1KiB", 1024],
  ["1kib", 1024],
  ["1MB", 1024 ** 2],
  ["1MiB", 1024 ** 2],
  ["1GiB", 1024 ** 3],
  ["1TiB", 1024 ** 4],
  ["1PiB", 1024 ** 5],
  ["1EiB", 1024 ** 6],
  ["1EB", 1024 ** 6],
  ["1KiB1B", 1025],
  ["1.5KB", 1536],
  ["0.4B", 0],
  ["0.5B", 1],
])("%s are %s bytes", (text, bytes) => {
  expect(size.parse(text, "file")).toEqual({ value: bytes });
});

test.each(["", "1", "B", "1K", "1Ki", "1ZB", "-1B", "+1B", "1 B", "1B "])("%j is no size", (text) => {
  expect(size.parse(text, "file")).toEqual({ problem: "not a valid base-2 byte size" });
});

test.each([
  [0, "0B"],
  [1, "1B"],
  [1023, "1023B"],
  [1024, "1KiB"],
  [1025, "1025B"],
  [1024 ** 2, "1MiB"],
  [1024 ** 2 + 1024, "1025KiB"],
  [3 * 1024 ** 3, "3GiB"],
  [1024 ** 4, "1024GiB"],
])("%s bytes are shown as %s", (bytes, text) => {
  expect(size.print?.(bytes)).toBe(text);
});
