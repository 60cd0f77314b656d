import { describe, expect, test } from "vitest";
import { clip, columnsOf, visibleText } from "./visible-text.js";

describe("a visible text", () => {
  test.each([
    ["plain", "plain"],
    ["a\tb", "a b"],
    ["\u001b[2J", "\\u{1b}[2J"],
    ["a\r\nb", "a\\u{d}\\u{a}b"],
    ["\u009b31m", "\\u{9b}31m"],
    ["\u202egpj.exe", "\\u{202e}gpj.exe"],
    ["\u200b\ufeff", "\\u{200b}\\u{feff}"],
    ["\u200a\u200f\u2010", "\u200a\\u{200f}\u2010"],
    ["\u2027\u2028\u202e\u202f", "\u2027\\u{2028}\\u{202e}\u202f"],
    ["\u205f\u2060\u2069\u206a", "\u205f\\u{2060}\\u{2069}\u206a"],
    ["\ufff8\ufff9\ufffb\ufffc", "\ufff8\\u{fff9}\\u{fffb}\ufffc"],
    ["\u061b\u061c\u061d", "\u061b\\u{61c}\u061d"],
    ["\u{e0000}\u{e007f}\u{e0080}", "\\u{e0000}\\u{e007f}\u{e0080}"],
    ["\ud800", "\\u{d800}"],
    ["\u{e0041}", "\\u{e0041}"],
    ["数据 é 🚀", "数据 é 🚀"],
  ])("of %j is %j", (text, visible) => expect(visibleText(text)).toBe(visible));
});

test.each([
  ["abc", 3],
  ["数据", 4],
  ["🚀", 2],
  ["e\u0301", 1],
  ["", 0],
  ["한국", 4],
])("%j takes %i columns", (text, columns) => expect(columnsOf(text)).toBe(columns));

test.each([
  ["abcdef", 6, "abcdef"],
  ["abcdef", 5, "abcd…"],
  ["数据集合", 8, "数据集合"],
  ["数据集合", 7, "数据集…"],
  ["数据集合", 6, "数据…"],
  ["abc", 1, "…"],
  ["abc", 0, ""],
  ["", 0, ""],
])("%j in %i columns is %j", (text, most, clipped) => {
  expect(clip(text, most)).toBe(clipped);
  expect(columnsOf(clipped)).toBeLessThanOrEqual(most);
});

test("every tab is a blank", () => expect(visibleText("a\tb\tc")).toBe("a b c"));
