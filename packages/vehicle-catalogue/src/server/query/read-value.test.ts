import { describe, expect, test } from "vitest";
import type { ComparedAttribute } from "./attribute-parameters.js";
import { expectedValue, readMoment, readNumber, readValue } from "./read-value.js";

describe("a number is plain and decimal", () => {
  test.each<[text: string, number: number | undefined]>([
    ["0", 0],
    ["-7.50", -7.5],
    ["007", 7],
    ["9".repeat(350), Number.POSITIVE_INFINITY],
    [`0.${"0".repeat(347)}1`, 0],
    ["9".repeat(351), undefined],
    ["", undefined],
    ["1.", undefined],
    [".5", undefined],
    ["+1", undefined],
    ["--1", undefined],
    ["1e3", undefined],
    ["0x1", undefined],
    [" 1", undefined],
    ["1 ", undefined],
    ["1.2.3", undefined],
  ])("%j", (text, number) => expect(readNumber(text)).toBe(number));
});

describe("a value is of the kind of its attribute", () => {
  const attribute = (kind: ComparedAttribute["kind"], known?: readonly string[]): ComparedAttribute => ({
    ...{ name: "a", kind, isList: false },
    ...(known && { known }),
  });
  test.each<[ComparedAttribute, text: string, value: unknown, expected: string]>([
    [attribute("number"), "7.5", 7.5, "a decimal number such as 7.5"],
    [attribute("number"), "x", undefined, "a decimal number such as 7.5"],
    [attribute("boolean"), "true", true, "true or false"],
    [attribute("boolean"), "false", false, "true or false"],
    [attribute("boolean"), "TRUE", undefined, "true or false"],
    [attribute("text"), "Ärger", "ärger", "a text"],
    [attribute("text", ["AC", "Dc"]), "dC", "dc", "one of AC, Dc"],
    [attribute("text", ["AC", "Dc"]), "d", undefined, "one of AC, Dc"],
  ])("%j: %j", (compared, text, value, expected) => {
    expect(readValue(compared, text)).toBe(value);
    expect(expectedValue(compared)).toBe(expected);
  });
});

describe("a moment is a time in UTC, as RFC 3339 or HTTP writes it", () => {
  const moment = Date.UTC(2024, 1, 29, 23, 59, 58);
  test.each<[text: string, ms: number | undefined]>([
    ["2024-02-29T23:59:58Z", moment],
    ["2024-02-29T23:59:58.5Z", moment + 500],
    ["2024-02-29T23:59:58.123456789Z", moment + 123],
    ["Thu, 29 Feb 2024 23:59:58 GMT", moment],
    ["1970-01-01T00:00:00Z", 0],
    ["Wed, 01 Jan 275000 00:00:00 GMT", Date.UTC(275_000, 0, 1)],
    ["Thu, 29 Feb 2024 23:59:58", undefined],
    ["Thu, 29 Feb 2024 23:59", undefined],
    ["29 Feb 2024 23:59:58 GMT", undefined],
    ["2024-02-29T23:59:58.1234567890Z", undefined],
    ["2024-02-30T23:59:58Z", undefined],
    ["2023-02-29T23:59:58Z", undefined],
    ["2024-02-29T24:00:00Z", undefined],
    ["2024-02-29T23:59:58+00:00", undefined],
    ["2024-02-29T23:59:58", undefined],
    ["2024-02-29T23:59Z", undefined],
    ["2024-02-29", undefined],
    ["Fri, 29 Feb 2024 23:59:58 GMT", undefined],
    ["Thu, 29 Feb 2024 23:59:58 UTC", undefined],
    ["now", undefined],
    ["", undefined],
  ])("%j", (text, ms) => expect(readMoment(text)).toBe(ms));
});
