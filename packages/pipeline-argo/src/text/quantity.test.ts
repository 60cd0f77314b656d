import { describe, expect, test } from "vitest";
import { canonicalQuantity, isNegative, isZero } from "./quantity.js";

describe("a quantity is printed with the largest unit that leaves no fraction:", () => {
  test.each([
    ["0", "0"],
    ["0Gi", "0"],
    ["1", "1"],
    ["999", "999"],
    ["1000", "1k"],
    ["1001", "1001"],
    ["1000k", "1M"],
    ["1000P", "1E"],
    ["1E", "1E"],
    ["1000000P", "1000E"],
    ["1000000m", "1k"],
    ["1500m", "1500m"],
    ["0.5", "500m"],
    [".5", "500m"],
    ["1.5Gi", "1536Mi"],
    ["1024Mi", "1Gi"],
    ["1024Pi", "1Ei"],
    ["1024Ei", "1024Ei"],
    ["1023Ki", "1023Ki"],
    ["0.5Ki", "512"],
    ["8Ki", "8Ki"],
    ["1e3", "1e3"],
    ["1000e3", "1e6"],
    ["0.1n", "1n"],
    ["-1000", "-1k"],
    ["+1000", "1k"],
    ["5e0", "5e0"],
    ["5000e-3", "5"],
    ["0.5e3", "500"],
    ["1000E", "1e21"],
    ["0001", "0001"],
    ["-5.5", "-5500m"],
    ["+8Ki", "8Ki"],
    ["008Ki", "8Ki"],
    ["+9Ki", "+9Ki"],
    ["009Ki", "009Ki"],
    ["+123456789012345Ki", "+123456789012345Ki"],
    ["+1234567890123457Ki", "1234567890123457Ki"],
    ["+0", "+0"],
    ["-0", "-0"],
    ["-0.0", "0"],
    ["-0Ki", "0"],
    ["0k", "0"],
    ["+100", "+100"],
    ["0.005", "5m"],
    ["1.0n", "1n"],
    ["2.5n", "3n"],
    ["-0.00000000011", "-1n"],
    ["12345678901234567890", "12345678901234567890"],
    ["1".repeat(64), "1".repeat(64)],
  ])("%s is %s", (written, printed) => expect(canonicalQuantity(written)).toBe(printed));
});

test.each([
  ["Ki", "Mi"],
  ["Mi", "Gi"],
  ["Gi", "Ti"],
  ["Ti", "Pi"],
  ["Pi", "Ei"],
])("exactly 1024%s are 1%s, as is one with a point, and one less stays", (unit, next) => {
  const printed = [`1024${unit}`, `1.0${next}`, `0.0009765625${next}`, `1024.0${unit}`, `1023.0${unit}`];
  expect(printed.map(canonicalQuantity)).toEqual([
    ...[`1${next}`, `1${next}`, `1${unit}`, `1${next}`, `1023${unit}`],
  ]);
});

test("of bytes, units of two begin at 1024", () => {
  const written = ["1.0Ki", "0.0009765625Mi", "0.9990234375Ki", "1.0009765625Ki", "8Ki", "-1.0Ki"];
  expect(written.map(canonicalQuantity)).toEqual(["1Ki", "1Ki", "1023", "1025", "8Ki", "-1Ki"]);
});

test.each(["", "k", "1K", "1kk", "1 k", "1,5", "0x1", "1e", "1e1000", "Gi", "--1", "1".repeat(65)])(
  "%j is no quantity",
  (text) => expect(canonicalQuantity(text)).toBeUndefined(),
);

test.each([
  ["0", true, false],
  ["-0", true, false],
  ["0.00Gi", true, false],
  ["1n", false, false],
  ["0.01", false, false],
  ["-0.01", false, true],
  ["-1Gi", false, true],
  ["-5.5", false, true],
  ["10.1", false, false],
  ["none", false, false],
])("%s: nothing %s, below nothing %s", (text, nothing, below) => {
  expect([isZero(text), isNegative(text)]).toEqual([nothing, below]);
});
