import { expect, test } from "vitest";
import { compilePattern } from "./pattern.js";

test("patterns and texts beyond the limits match nothing", () => {
  expect(compilePattern("a".repeat(10_001))).toBeUndefined();
  expect(compilePattern("(((((((((a{10}){10}){10}b){2}){2}){2}){2}){2}){2}")).toBeUndefined();
  expect(compilePattern("(".repeat(600) + ")".repeat(600))).toBeUndefined();
  expect(compilePattern("a{1000}")?.test("a".repeat(10_000))).toBe(false);
});

test.each([
  ["plain text", "a".repeat(999)],
  ["a repetition", "[ab]{999}"],
  ["what contains plain text", `${"a".repeat(998)}[ab]`],
])("with %s of a thousand steps a text of up to four thousand characters is looked through", (_, source) => {
  const pattern = compilePattern(source);
  expect(pattern?.steps).toBe(1000);
  expect(pattern?.test("a".repeat(4000))).toBe(true);
  expect(pattern?.test("a".repeat(4001))).toBe(false);
});

test("a lone surrogate is the replacement character, as in the reference", () => {
  expect(compilePattern("^\\x{FFFD}$")?.test("\ud800")).toBe(true);
});
