import { describe, expect, test } from "vitest";
import {
  boolFromText,
  doubleFromText,
  int64,
  intFromDouble,
  intFromText,
  textFromDouble,
  uintFrom,
  uintFromText,
} from "./cel-conversions.js";

const none = undefined;
/** Numbers of 64 bits at both ends, and the doubles beside 2^63 and 2^64. */
const least = -(2n ** 63n);
const most = 2n ** 63n - 1n;
const mostUnsigned = 2n ** 64n - 1n;

describe("a signed number has 64 bits:", () => {
  test.each<[bigint, bigint | undefined]>([
    [least - 1n, none],
    [least, least],
    [0n, 0n],
    [most, most],
    [most + 1n, none],
  ])("%s is %s, and so is its text", (value, converted) => {
    expect([int64(value), intFromText(String(value))]).toEqual([converted, converted]);
  });

  test.each<[number, bigint | undefined]>([
    [-Infinity, none],
    [-(2 ** 63) - 2048, none],
    [-(2 ** 63), none],
    [-(2 ** 63) + 1024, least + 1024n],
    [-1.9, -1n],
    [-0, 0n],
    [0.9, 0n],
    [2 ** 63 - 1024, most - 1023n],
    [2 ** 63, none],
    [Infinity, none],
    [NaN, none],
  ])("%d is %s", (value, converted) => expect(intFromDouble(value)).toBe(converted));
});

describe("an unsigned number has 64 bits:", () => {
  test.each<[bigint, bigint | undefined]>([
    [-1n, none],
    [0n, 0n],
    [most + 1n, most + 1n],
    [mostUnsigned, mostUnsigned],
    [mostUnsigned + 1n, none],
  ])("%s is %s, and so is its text", (value, converted) => {
    expect([uintFrom(value), uintFromText(String(value))]).toEqual([converted, converted]);
  });

  test.each<[number, bigint | undefined]>([
    [-1, none],
    [-0.1, none],
    [-0, 0n],
    [3.9, 3n],
    [2 ** 64 - 2048, mostUnsigned - 2047n],
    [2 ** 64, none],
    [2 ** 64 + 4096, none],
    [Infinity, none],
    [NaN, none],
  ])("%d is %s", (value, converted) => expect(uintFrom(value)).toBe(converted));
});

describe("whole numbers are decimal digits:", () => {
  test.each<[text: string, signed: bigint | undefined, unsigned: bigint | undefined]>([
    ["7", 7n, 7n],
    ["007", 7n, 7n],
    [`${"0".repeat(39)}7`, 7n, 7n],
    [`${"0".repeat(40)}7`, none, none],
    ["+7", 7n, none],
    ["-7", -7n, none],
    ["-0", 0n, none],
    ["--7", none, none],
    ["+-7", none, none],
    ["", none, none],
    ["-", none, none],
    [" 7", none, none],
    ["7 ", none, none],
    ["7\n", none, none],
    ["7.0", none, none],
    ["7e1", none, none],
    ["0x7", none, none],
    ["٧", none, none],
  ])("%j is %s with a sign, and %s without", (text, signed, unsigned) => {
    expect([intFromText(text), uintFromText(text)]).toEqual([signed, unsigned]);
  });
});

test.each<[text: string, value: number | undefined]>([
  ["1", 1],
  ["1.", 1],
  [".5", 0.5],
  ["-.5", -0.5],
  ["+1.5e-3", 0.0015],
  ["1E+2", 100],
  ["-0", -0],
  ["1.7976931348623157e308", Number.MAX_VALUE],
  ["1e309", none],
  ["-1e309", none],
  ["1e-400", 0],
  ["inf", Infinity],
  ["+Inf", Infinity],
  ["-INF", -Infinity],
  ["Infinity", Infinity],
  ["-infinity", -Infinity],
  ["nan", NaN],
  ["-NaN", NaN],
  ["infinit", none],
  ["constructor", none],
  ["", none],
  [".", none],
  ["-", none],
  ["--1", none],
  ["1e", none],
  ["e1", none],
  ["1,5", none],
  ["0x1", none],
  [" 1", none],
  ["1 ", none],
])("as a double %j is %d", (text, value) => expect(doubleFromText(text)).toBe(value));

test.each<[value: boolean | undefined, ...texts: string[]]>([
  [true, "1", "t", "T", "true", "TRUE", "True"],
  [false, "0", "f", "F", "false", "FALSE", "False"],
  [none, "", "tRUE", "fALSE", "yes", "no", "on", "2", " true", "true "],
])("as a boolean %s is written %s, and in no other way", (value, ...texts) => {
  expect(texts.map(boolFromText)).toEqual(texts.map(() => value));
});

test.each<[value: number, text: string]>([
  [0, "0"],
  [-0, "-0"],
  [999_999, "999999"],
  [999_999.5, "999999.5"],
  [1e6, "1e+06"],
  [-1e6, "-1e+06"],
  [1_234_567.5, "1.2345675e+06"],
  [1e-4, "0.0001"],
  [-1e-4, "-0.0001"],
  [0.000_099, "9.9e-05"],
  [1e21, "1e+21"],
  [1e100, "1e+100"],
  [-1.5e-300, "-1.5e-300"],
  [Infinity, "+Inf"],
  [-Infinity, "-Inf"],
  [NaN, "NaN"],
])("%d is printed %s", (value, text) => expect(textFromDouble(value)).toBe(text));
