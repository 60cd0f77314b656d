import { describe, expect, test } from "vitest";
import { readBlockText } from "./block-text.js";
import { foldLines, trimEnd } from "./fold-lines.js";
import { endOfQuotes, textInQuotes } from "./quoted-text.js";

const read = (text: string) => textInQuotes(text, 0, text.length);

describe("escapes in double quotes:", () => {
  const letters: Readonly<Record<string, string>> = {
    ...{ "0": "\0", a: "\x07", b: "\b", t: "\t", "\t": "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b" },
    ...{ " ": " ", '"': '"', "/": "/", "\\": "\\", N: "\u0085", _: "\u00a0", L: "\u2028", P: "\u2029" },
    ...{
      x41: "A",
      xe9: "é",
      u00e9: "é",
      u20AC: "€",
      U0001F600: "😀",
      U0010ffff: "\u{10ffff}",
      ud83d: "\ud83d",
    },
  };
  test.each(Object.entries(letters))("\\%s", (written, text) => {
    expect(read(`"\\${written}"`)).toBe(text);
    expect(read(`"a\\${written}b\\${written}"`)).toBe(`a${text}b${text}`);
  });

  test.each(["q", "'", "x4", "x4g", "xg4", "u00e", "u00eg", "U0001F60", "U00110000", "A", "1", ""])(
    "\\%s is none",
    (written) => {
      expect(read(`"\\${written}"`)).toBeUndefined();
      expect(read(`"a\\n\\${written}"`)).toBeUndefined();
    },
  );

  test("every character of ASCII is one, or is refused", () => {
    const known = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
      (char) => read(`"\\${char}"`) !== undefined,
    );
    expect(known.join("")).toBe('\t\n "/0LNP\\_abefnrtv');
  });
});

test.each<[quoted: string, text: string | undefined]>([
  ['""', ""],
  ["''", ""],
  ['"a b"', "a b"],
  ["'a b'", "a b"],
  ["'it''s'", "it's"],
  ["''''", "'"],
  ["'\\n'", "\\n"],
  ["'\"'", '"'],
  ['"\'"', "'"],
  ["a", undefined],
  ["`a`", undefined],
  // Breaks of lines.
  ['"a\nb"', "a b"],
  ['"a \t\n \tb"', "a b"],
  ['"a\n\nb"', "a\nb"],
  ['"a\n \n\t\nb"', "a\n\nb"],
  ['" a\nb "', " a b "],
  ['"\na"', " a"],
  ['"a\n"', "a "],
  ['"a\\\nb"', "ab"],
  ['"a \\\n  b"', "a b"],
  ['"a\\\n\n  b"', "a\nb"],
  ['"a\\\n\n\n  b"', "a\n\nb"],
  ['"a\\ \nb"', "a  b"],
  ['"a\\t\nb"', "a\t b"],
  ["'a\nb'", "a b"],
  ["'a  \n\n  b'", "a\nb"],
  ["'it''s\nit''s'", "it's it's"],
])("%j reads as %j", (quoted, text) => expect(read(quoted)).toBe(text));

test("a text in quotes may stand in another", () => {
  expect(textInQuotes("x: 'a''b' # c", 3, 9)).toBe("a'b");
  expect(textInQuotes('x: "a\\"b" # c', 3, 9)).toBe('a"b');
  expect(textInQuotes("x: a", 3, 4)).toBeUndefined();
});

test.each<[text: string, start: number, end: number]>([
  ['"a"', 0, 3],
  ["'a'", 0, 3],
  ['""', 0, 2],
  ["''", 0, 2],
  ['x"a" "b"', 1, 4],
  ['"a\\"b"', 0, 6],
  ['"a\\\\"b"', 0, 5],
  ['"a\\\\\\"b"', 0, 8],
  ['"\\""', 0, 4],
  ["'a''b'", 0, 6],
  ["''''", 0, 4],
  ["'a'''", 0, 5],
  ["'a' 'b'", 0, 3],
  ["'a\\'", 0, 4],
  ['"a', 0, -1],
  ['"', 0, -1],
  ['"a\\"', 0, -1],
  ["'a", 0, -1],
  ["'", 0, -1],
  ["'''", 0, -1],
  ["'a''", 0, -1],
])("the quotes of %j that begin at %d end at %d", (text, start, end) => {
  expect(endOfQuotes(text, start)).toBe(end);
});

test.each<[lines: string, text: string]>([
  ["a", "a"],
  [" a ", " a "],
  ["a\nb", "a b"],
  ["a \t\n\t b", "a b"],
  ["a\n\nb", "a\nb"],
  ["a\n \n\t\n\nb", "a\n\n\nb"],
  [" a\nb ", " a b "],
  ["\na", " a"],
  ["a\n", "a "],
  ["a\n\n", "a\n"],
  ["a\nb\nc", "a b c"],
  ["a\n\nb\nc", "a\nb c"],
  ["a\n b \nc", "a b c"],
])("the lines %j are the text %j", (lines, text) => expect(foldLines(lines)).toBe(text));

test.each(["", "a", " a", "a ", "a\t ", "a \n", " \t", "a b"])(
  "blanks at the end of %j do not count",
  (text) => {
    expect(trimEnd(text)).toBe(text.replace(/[ \t]+$/, ""));
  },
);

describe("lines behind a sign are a text:", () => {
  /** The text, and what of the source comes behind it. */
  const block = (source: string, parent: number) => {
    const found = readBlockText(source, 0, parent);
    return found && [found.text, source.slice(found.end), source.slice(found.next)];
  };
  test.each<[source: string, parent: number, text: string, behind: string, rest: string]>([
    ["|\n a\n", -1, "a\n", "\n", ""],
    ["|\n a", -1, "a", "", ""],
    ["|-\n a\n", -1, "a", "\n", ""],
    ["|+\n a\n", -1, "a\n", "\n", ""],
    ["|\n a\n\n\nb", 0, "a\n", "\n\n\nb", "\nb"],
    ["|-\n a\n\n\nb", 0, "a", "\n\n\nb", "\nb"],
    ["|+\n a\n\n\nb", 0, "a\n\n\n", "\n\n\nb", "\nb"],
    ["|+\n a\n\n", 0, "a\n\n", "\n\n", ""],
    ["|  \n a\nb", 0, "a\n", "\nb", "\nb"],
    ["|\n a\n  b\n c\n", 0, "a\n b\nc\n", "\n", ""],
    ["|\n\n a\n", 0, "\na\n", "\n", ""],
    ["|\n \n a\n", 0, "\na\n", "\n", ""],
    ["|\n a\n\n b\n", 0, "a\n\nb\n", "\n", ""],
    ["|\n a\n \n", 0, "a\n", "\n \n", ""],
    ["|+\n a\n \nb", 0, "a\n\n", "\n \nb", "\nb"],
    ["|\na\n", -1, "a\n", "\n", ""],
    ["|\n  a\n \n  b\n", 0, "a\n\nb\n", "\n", ""],
    ["|2\n   a\n", 0, " a\n", "\n", ""],
    ["|1\n  a\n", 1, "a\n", "\n", ""],
    ["|2-\n  a\n", 0, "a", "\n", ""],
    ["|-2\n  a\n", 0, "a", "\n", ""],
    ["|+1\n a\n\n", 0, "a\n\n", "\n\n", ""],
    ["|1+\n a\n\n", 0, "a\n\n", "\n\n", ""],
    ["|1\n \ta\n", 0, "\ta\n", "\n", ""],
    ["|\n a\n \tb\n", 0, "a\n\tb\n", "\n", ""],
    [">\n a\n b\n", 0, "a b\n", "\n", ""],
    [">\n a\n\n b\n", 0, "a\nb\n", "\n", ""],
    [">\n a\n\n\n b\n", 0, "a\n\nb\n", "\n", ""],
    [">\n\n a\n", 0, "\na\n", "\n", ""],
    [">-\n a\n b\nc", 0, "a b", "\nc", "\nc"],
    [">1\n a\n b", 0, "a b", "", ""],
  ])("%j behind %d", (source, parent, text, behind, rest) => {
    expect(block(source, parent)).toEqual([text, behind, rest]);
    const moved = readBlockText(`x: ${source}`, 3, parent);
    expect(moved?.text).toBe(text);
  });

  test.each<[source: string, parent: number]>([
    // No lines, or none that are far enough in.
    ["|", 0],
    ["|\n", 0],
    ["|\n\n", 0],
    ["|\na", 0],
    ["|\n a", 1],
    ["|\n  \n a", 1],
    ["|2\n a", 0],
    // Empty lines that are further in than the others.
    ["|\n  \n a\n", 0],
    ["|\n a\n  \nb", 0],
    ["|\n a\n  \n", 0],
    // Other signs behind the first.
    ["| a\n b", 0],
    ["| # a\n b", 0],
    ["|0\n a", 0],
    ["|12\n a", 0],
    ["|+-\n a", 0],
    ["|1+2\n a", 0],
    ["|\t\n a", 0],
    // A tab that begins a line, and lines that are further in than those that are folded.
    ["|\n \ta", 0],
    ["|\n\ta", -1],
    [">\n a\n  b", 0],
    [">\n a\n \tb", 0],
    ["a\n b", 0],
  ])("%j behind %d is left to another reader", (source, parent) => {
    expect(block(source, parent)).toBeUndefined();
  });
});
