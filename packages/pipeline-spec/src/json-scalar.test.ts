import { describe, expect, test } from "vitest";
import { scalarReaders } from "./json-scalar.js";
import type { ScalarCode } from "./message-table.js";
import { Reading } from "./reading.js";

/** What a scalar of a type is read as, or what is wrong with it. */
function read(code: ScalarCode, json: unknown): unknown {
  const reading = new Reading();
  const value = scalarReaders[code](json, reading);
  const [problem] = reading.list();
  return problem === undefined ? value : problem.message;
}

describe("a scalar is read:", () => {
  test.each<[code: ScalarCode, json: unknown, value: unknown]>([
    ["f", 0.1, Math.fround(0.1)],
    ["f", "0.1", Math.fround(0.1)],
    ["f", 3.4e38, Math.fround(3.4e38)],
    ["f", 1e39, "the number 1e+39 is out of range"],
    ["f", "-1e39", 'the text "-1e39" is out of range'],
    ["d", 0.1, 0.1],
    ["d", 1e39, 1e39],
    ["d", "-Infinity", Number.NEGATIVE_INFINITY],
    ["d", "1e309", 'the text "1e309" is out of range'],
    ["d", true, "expected a number, got true"],
    ["i", 2 ** 31 - 1, 2 ** 31 - 1],
    ["i", -(2 ** 31), -(2 ** 31)],
    ["i", 2 ** 31, "2147483648 is out of range for a 32-bit integer"],
    ["i", -(2 ** 31) - 1, "-2147483649 is out of range for a 32-bit integer"],
    ["i", "1e2", 100],
    ["i", "7.00", 7],
    ["i", "5s", 'expected a 32-bit integer, got the text "5s"'],
    ["u", 2 ** 32 - 1, 2 ** 32 - 1],
    ["u", 2 ** 32, "4294967296 is out of range for an unsigned 32-bit integer"],
    ["u", -1, "-1 is out of range for an unsigned 32-bit integer"],
    ["l", String(2n ** 63n - 1n), String(2n ** 63n - 1n)],
    ["l", String(-(2n ** 63n)), String(-(2n ** 63n))],
    ["l", String(2n ** 63n), `${2n ** 63n} is out of range for a 64-bit integer`],
    ["l", String(-(2n ** 63n) - 1n), `${-(2n ** 63n) - 1n} is out of range for a 64-bit integer`],
    ["l", 2 ** 53, "9007199254740992 is too large to be exact as a number"],
    ["w", String(2n ** 64n - 1n), String(2n ** 64n - 1n)],
    ["w", String(2n ** 64n), `${2n ** 64n} is out of range for an unsigned 64-bit integer`],
    ["w", -1, "-1 is out of range for an unsigned 64-bit integer"],
    ["w", 1.5, "expected an unsigned 64-bit integer, got the number 1.5"],
    ["b", false, false],
    ["b", "true", 'expected true or false, got the text "true"'],
    ["s", "a", "a"],
    ["s", 1, "expected text, got the number 1"],
  ])("%s from %j", (code, json, value) => expect(read(code, json)).toEqual(value));
});

test.each<[base64: string, ...bytes: number[]]>([
  [""],
  ["AA", 0],
  ["AA==", 0],
  ["AAE=", 0, 1],
  ["-_-_", 0xfb, 0xff, 0xbf],
  ["+/+/", 0xfb, 0xff, 0xbf],
  ["-/_+", 0xfb, 0xff, 0xfe],
  ["--__--__", 0xfb, 0xef, 0xff, 0xfb, 0xef, 0xff],
])("bytes are read from either alphabet of base64: %j", (base64, ...bytes) => {
  expect(read("y", base64)).toEqual(Uint8Array.from(bytes));
});

test.each([
  ["A", "a text that is not"],
  ["AAAAA", "a text that is not"],
  ["A A=", "a text that is not"],
  ["AA===", "a text that is not"],
  [5, "the number 5"],
])("bytes are not read from %j", (json, got) => {
  expect(read("y", json)).toBe(`expected bytes as a base64 text, got ${got}`);
});
