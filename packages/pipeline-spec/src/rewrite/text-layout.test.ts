import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TextLayout } from "./text-layout.js";

/** Texts of a few signs, in which lines, blanks, comments and brackets meet in every order. */
const texts = fc
  .array(fc.constantFrom("a", " ", "\t", "\n", "\n", "\r\n", "#", "- ", ":", "{", "}", "  "), {
    maxLength: 14,
  })
  .map((parts) => parts.join(""));

const isBlank = (char: string | undefined) => char === " " || char === "\t";

describe("a place in a text", () => {
  /** Checks what is said of every place of many texts. */
  const eachPlace = (check: (layout: TextLayout, text: string, at: number) => void) =>
    fc.assert(
      fc.property(texts, (text) => {
        const layout = new TextLayout(text);
        for (let at = 0; at <= text.length; at++) check(layout, text, at);
      }),
      { seed: 31, numRuns: 400 },
    );
  const startOf = (text: string, at: number) => text.slice(0, at).lastIndexOf("\n") + 1;
  const endOf = (text: string, at: number) => {
    const end = text.indexOf("\n", at);
    return end === -1 ? text.length : end;
  };

  test("knows where its line begins and where the next one does", () => {
    eachPlace((layout, text, at) => {
      expect(layout.lineStart(at)).toBe(startOf(text, at));
      expect(layout.nextLine(at)).toBe(Math.min(endOf(text, at) + 1, text.length));
    });
  });

  test("knows where the text of its line ends, before either end of lines", () => {
    eachPlace((layout, text, at) => {
      const end = endOf(text, at);
      const isReturn = end < text.length && end > at && text[end - 1] === "\r";
      expect(layout.lineEndAt(at)).toBe(isReturn ? end - 1 : end);
      const rest = text.slice(at, layout.lineEndAt(at));
      expect(layout.isLineDone(at)).toBe([...rest].every(isBlank));
    });
  });

  test("knows what is before it in its line", () => {
    eachPlace((layout, text, at) => {
      const before = text.slice(startOf(text, at), at);
      expect(layout.indentAt(at)).toBe(" ".repeat(before.length));
      expect(layout.lineIndent(at)).toBe(
        before.slice(0, before.length - before.replace(/^[ \t]*/, "").length),
      );
      expect(layout.isFirstInLine(at)).toBe(before.trim() === "");
    });
  });

  test("knows the blanks on both of its sides", () => {
    eachPlace((layout, text, at) => {
      let [next, last] = [at, at];
      while (isBlank(text[next])) next++;
      while (isBlank(text[last - 1])) last--;
      expect([layout.skipInLine(at), layout.trimLine(at)]).toEqual([next, last]);
      const behind = text.slice(at);
      expect(layout.skipBlank(at)).toBe(text.length - behind.replace(/^[ \t\r\n]*/, "").length);
      expect(layout.skipComments(at)).toBe(
        text.length - behind.replace(/^[ \t\r\n]*(?:#[^\n]*(?:\n[ \t\r\n]*|$))*/, "").length,
      );
      for (let start = 0; start <= at; start++) {
        const between = text.slice(start, at);
        expect(layout.trimEnd(start, at)).toBe(start + between.replace(/[ \t\r\n]*$/, "").length);
        expect(layout.isBlank(start, at)).toBe(between.trim() === "");
      }
    });
  });

  test("knows the lines of comments and blanks behind it", () => {
    eachPlace((layout, text, at) => {
      const expected: { start: number; text: number }[] = [];
      for (let start = endOf(text, at) + 1; start < text.length; start = endOf(text, start) + 1) {
        const [, blanks] = /^([ \t]*)(?:#|\r?\n|$)/.exec(text.slice(start)) ?? [];
        if (blanks === undefined) break;
        expected.push({ start, text: start + blanks.length });
      }
      expect([...layout.idleLines(at)]).toEqual(expected);
    });
  });

  test("knows where lines go above its comments", () => {
    eachPlace((layout, text, at) => {
      for (let after = 0; after <= at; after++) {
        let line = startOf(text, at);
        const isFirst = text.slice(line, at).trim() === "";
        while (line > after) {
          const previous = startOf(text, line - 1);
          if (previous < after || !/^[ \t]*#/.test(text.slice(previous, line))) break;
          line = previous;
        }
        expect(layout.aboveComments(at, after)).toBe(isFirst ? line : undefined);
      }
    });
  });
});

test("a mark of the order of bytes is no part of the first line", () => {
  const layout = new TextLayout("\ufeffab\n\ufeffc");
  expect([0, 1, 3, 4, 6].map((at) => layout.lineStart(at))).toEqual([1, 1, 1, 4, 4]);
  expect(layout.indentAt(2)).toBe(" ");
  expect(layout.isFirstInLine(1)).toBe(true);
  expect(layout.aboveComments(1, 0)).toBe(1);
});

test.each([
  ["", "\n"],
  ["a", "\n"],
  ["a\nb", "\n"],
  ["\n", "\n"],
  ["a\rb\n", "\n"],
  ["a\r\nb\n", "\r\n"],
  ["\r\n", "\r\n"],
  ["a\nb\r\n", "\n"],
  ["ab\r", "\n"],
])("the lines of %j end with %j", (text, end) => {
  expect(new TextLayout(text).lineEnd).toBe(end);
});

test.each([
  ['{"a": 1}', true],
  [" \n\t[1]", true],
  ["[]", true],
  ["{a: 1}", false],
  ["{", false],
  ['"a"', false],
  ["5", false],
  ["a: {}", false],
  ["", false],
])("%j is JSON: %j", (text, isJson) => {
  expect(new TextLayout(text).isJson).toBe(isJson);
});

test.each([
  ['{\n  "a": 1\n}', "  "],
  ["[\n\t1\n]", "\t"],
  [' {\r\n    "a": 1\r\n}', "    "],
  ['{"a": 1}', undefined],
  ['{"a": {\n  "b": 1}}', undefined],
  ['{\n"a": 1}', undefined],
  ['{ \n  "a": 1}', undefined],
  ["[[\n  1]]", undefined],
])("the JSON %j is indented by %j", (text, indent) => {
  expect(new TextLayout(text).jsonIndent).toBe(indent);
});

test.each([
  // Maps are as far in as the first line that is no comment and no item.
  ["a: b\n", "  ", ""],
  ["a:\n   b: c\n", "   ", ""],
  ["a:\n      # b\n    c: d\n", "    ", ""],
  ["a:\n - b\n   c: d\n", "   ", " "],
  ["a:\r\n    b: c\r\n", "    ", ""],
  // Lists are as far in as their keys where any of them is.
  ["a:\n- b\n", "  ", ""],
  ["a:\n  - b\n", "  ", "  "],
  ["a:\n    - b\n", "  ", "    "],
  ["a:\r\n   - b\r\n", "  ", "   "],
  ["x:\n  a:\n     - b\n", "  ", "   "],
  ["x:\n  a:\n  - b\ny:\n  - c\n", "  ", ""],
  ["x:\n  - c\na:\n- b\n", "  ", ""],
  ["a:\n  -b\nc:\n   - d\n", "  ", "   "],
  ["# a:\n  - b\n", "  ", ""],
  ["- a:\n  - b\n", "  ", ""],
  ["a: b\n  - c\n", "  ", ""],
  ["a: b:\n  - c\n", "  ", "  "],
])("blocks of %j are indented by %j, and their lists by %j", (text, ofMaps, ofLists) => {
  expect(new TextLayout(text).blocks).toEqual({ ofMaps, ofLists, literals: "closed" });
});

describe("lines that could come to belong to a text before them let it be no block:", () => {
  test.each([
    ["a: b\n  # c\n", "", "none"],
    ["a: b\n  # c\n", " ", "none"],
    ["a: b\n  # c\n", "  ", "closed"],
    ["a: b\n# c\n", "", "closed"],
    // What is behind a comment belongs to nothing before it.
    ["a: b\n# c\n  # d\n", "", "closed"],
    ["a: b\n\n  # c\n", "", "none"],
    ["a: b\n   \nc: d\n", "", "none"],
    ["a: b\n   \nc: d\n", "  ", "none"],
    ["a: b\n   \nc: d\n", "   ", "closed"],
    ["a: b\n  c: d\n", "", "closed"],
    ["a: b", "", "closed"],
  ])("%j, %j in: %s", (text, indent, literals) => {
    const layout = new TextLayout(text);
    expect(layout.blocksBefore(4, indent)).toEqual({ ...layout.blocks, literals });
  });
});

test.each([
  ["a\nb", "x: y", "a\nb\n"],
  ["a\nb", "x: y  ", "a\nb\n"],
  ["a\nb", "x: y\n", "a\nb"],
  ["a\nb", "x: y \n ", "a\nb"],
  ["a\nb", "x: y # c", "a\nb"],
  ["a", "x: y", "a"],
])("lines %j in the place of what ends %j become %j", (lines, text, ended) => {
  expect(new TextLayout(text).ended(lines, 4)).toBe(ended);
});
