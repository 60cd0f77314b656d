import { expect, test } from "vitest";
import { durationText } from "./duration-text.js";

test.each([
  [-5, "0.0 s"],
  [0, "0.0 s"],
  [49, "0.0 s"],
  [51, "0.1 s"],
  [440, "0.4 s"],
  [9949, "9.9 s"],
  [9950, "10 s"],
  [10_499, "10 s"],
  [59_499, "59 s"],
  [59_500, "1 min 00 s"],
  [69_000, "1 min 09 s"],
  [3_599_000, "59 min 59 s"],
  [3_599_499, "59 min 59 s"],
  [3_599_500, "1 h 00 min"],
  [3_599_600, "1 h 00 min"],
  [7_625_000, "2 h 07 min"],
  [90_061_000, "25 h 01 min"],
])("%i ms is %s", (ms, text) => expect(durationText(ms)).toBe(text));
