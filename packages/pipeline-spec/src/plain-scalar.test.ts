import { describe, expect, test } from "vitest";
import { otherReading, type PlainValue, readPlain, readPlainInteger } from "./plain-scalar.js";

const inf = Number.POSITIVE_INFINITY;

/**
 * What the API server makes of a scalar (gopkg.in/yaml.v3 3.0.1, from its source), and what the Python SDK makes of it
 * where that differs (PyYAML 6.0.3, by running it).
 */
const cases: readonly (readonly [text: string, server: string | number | boolean | null, sdk?: string])[] = [
  ["", null],
  ["~", null],
  ["null", null],
  ["NULL", null],
  ["nULL", "nULL"],
  ["true", true],
  ["False", false],
  ["tRUE", "tRUE"],
  ["yes", "yes", "a boolean"],
  ["No", "No", "a boolean"],
  ["ON", "ON", "a boolean"],
  ["off", "off", "a boolean"],
  ...["yes", "Yes", "YES", "no", "NO", "on", "On", "Off", "OFF"].map(
    (word) => [word, word, "a boolean"] as const,
  ),
  ["oFF", "oFF"],
  ["yEs", "yEs"],
  ["y", "y"],
  ["n", "n"],
  ["0", 0],
  ["9", 9],
  ["95.5", 95.5],
  ["-17", -17],
  ["+5", 5],
  ["1_000", 1000],
  ["1_000_000", 1_000_000],
  ["1_0.5_0", 10.5],
  ["017", 15],
  ["0x1F", 31],
  ["-0x1f", -31],
  ["0b11", 3],
  ["-0b1_1", -3],
  ["0B11", 3, "text"],
  ["0X1F", 31, "text"],
  ["0x1_F", 31],
  ["0b12", "0b12"],
  ["0o17", 15, "text"],
  ["08", 8, "text"],
  ["0x", "0x"],
  ["1.5", 1.5],
  ["5.", 5],
  [".5", 0.5],
  ["-.5", -0.5, "text"],
  [".5_0", ".5_0", "a number"],
  ["1e3", 1000, "text"],
  ["1.5e3", 1500, "text"],
  ["1.5e+3", 1500],
  ["-1.5E-3", -0.0015],
  [".5e+1", 5],
  [".5e1", 5, "text"],
  ["+5.", 5],
  ["-0.0", -0],
  ["1e400", "1e400"],
  ["18446744073709551615", 2 ** 64],
  ["18446744073709551616", 2 ** 64],
  ["0xFFFFFFFFFFFFFFFF", 2 ** 64],
  ["0x10000000000000000", "0x10000000000000000", "a number"],
  ["-0x8000000000000000", -(2 ** 63)],
  ["-0x8000000000000001", "-0x8000000000000001", "a number"],
  ["9".repeat(401), "9".repeat(401), "a number"],
  [`0x${"0".repeat(401)}1F`, 31],
  [`0${"0".repeat(401)}17`, 15],
  [".inf", inf],
  ["+.Inf", inf],
  ["-.INF", -inf],
  ["1:30", "1:30", "a number"],
  ["190:20:30.5", "190:20:30.5", "a number"],
  ["-1_0:59", "-1_0:59", "a number"],
  ["1:60", "1:60"],
  ["0:9.", "0:9.", "a number"],
  ["0:9", "0:9"],
  ["2001-01-01", "2001-01-01", "a time"],
  ["2001-1-1", "2001-1-1", "a time"],
  ["2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z", "a time"],
  ["2.1.0", "2.1.0"],
  ["2001-1-01 0:00:00", "2001-1-01 0:00:00", "a time"],
  ["2001-01-1t00:00:00Z", "2001-01-1t00:00:00Z", "a time"],
  ["2001-01-01x", "2001-01-01x"],
  ["12001-01-01", "12001-01-01"],
  ["2001-001-01", "2001-001-01"],
  ["-", "-"],
  ["-x", "-x"],
  ["_1", "_1"],
  ["_1.5", "_1.5"],
  ["/1", "/1"],
  [":1", ":1"],
  ["*1", "*1"],
  [",1", ",1"],
  ["a", "a"],
  ["té", "té"],
];

describe("reads a scalar as the API server does, and knows what others make of it", () => {
  for (const [text, server, sdk] of cases) {
    test(text === "" ? "(empty)" : text, () => {
      expect(readPlain(text)).toBe(server);
      expect(otherReading(text, server)).toBe(sdk);
    });
  }
});

test.each<[value: PlainValue, ...words: string[]]>([
  [null, "", "~", "null", "Null", "NULL"],
  [true, "true", "True", "TRUE"],
  [false, "false", "False", "FALSE"],
  [Number.NaN, ".nan", ".NaN", ".NAN"],
  [inf, ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"],
  [-inf, "-.inf", "-.Inf", "-.INF"],
])("%s is written in some words, which no reader takes for anything else", (value, ...words) => {
  expect(words.map(readPlain)).toEqual(words.map(() => value));
  expect(words.map((word) => otherReading(word, value))).toEqual(words.map(() => undefined));
});

test("reads all digits of an integer", () => {
  const integers = ["9007199254740993", "-9_007_199_254_740_993", "0x20000000000001", "0o17", "017", "+1"];
  expect(integers.map(readPlainInteger)).toEqual([
    9007199254740993n,
    -9007199254740993n,
    9007199254740993n,
    15n,
    15n,
    1n,
  ]);
  expect(["1.5", "", "a", "1e3"].map(readPlainInteger)).toEqual([undefined, undefined, undefined, undefined]);
});
