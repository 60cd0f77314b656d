import { describe, expect, test } from "vitest";
import {
  type FormatOptions,
  formatProblems,
  type ShownReport,
  type ValidationProblem,
} from "../src/index.js";

// What is shown of a report, made by hand: to the character.

const position = (line: number, column: number) => ({ line, column, offset: 0 });
const range = (line: number, from: number, to: number, endLine = line) => ({
  start: position(line, from + 1),
  end: position(endLine, to + 1),
});
const problem = (more: Partial<ValidationProblem> = {}): ValidationProblem => {
  return { code: "c", severity: "error", path: "/a", message: "m", ...more };
};
const reportOf = (...problems: readonly ValidationProblem[]): ShownReport => {
  const of = (one: string) => problems.filter(({ severity }) => severity === one).length;
  return { problems, counts: { error: of("error"), warning: of("warning"), info: of("info") } };
};
/** All lines about the one problem. */
const linesOf = (more: Partial<ValidationProblem>, options?: FormatOptions): readonly string[] =>
  formatProblems(reportOf(problem(more)), options)
    .split("\n")
    .slice(0, -3);

describe("the last line counts", () => {
  const part = (path: string) => ({ path, reason: "wrong-type", hidden: 1 });
  test.each([
    [0, 0, 0, [], "no problems"],
    [1, 0, 0, [], "1 error"],
    [2, 0, 0, [], "2 errors"],
    [0, 1, 0, [], "1 warning"],
    [0, 2, 1, [], "2 warnings, 1 remark"],
    [1, 1, 2, [], "1 error, 1 warning, 2 remarks"],
    [1, 0, 0, [part("/a")], "1 error; 1 part of the file could not be checked"],
    [1, 0, 0, [part("/a"), part("/b")], "1 error; 2 parts of the file could not be checked"],
    [1, 0, 0, [part("")], "1 error; nothing else could be checked"],
    [0, 0, 0, [part("/a")], "no problems; 1 part of the file could not be checked"],
  ])("%d, %d, %d and %j", (error, warning, info, unchecked, line) => {
    expect(formatProblems({ problems: [], counts: { error, warning, info }, unchecked })).toBe(`${line}\n`);
  });
});

test("colours are those of the severities, and end where they have to", () => {
  const paint = (code: number, text: string) => `\u001b[${code}m${text}\u001b[0m`;
  const related = [{ path: "/r", message: "seen" }];
  const shown = formatProblems(
    reportOf(
      problem({ range: range(1, 0, 2), hint: "h" }),
      problem({ severity: "warning", related }),
      problem({ severity: "info" }),
    ),
    { color: true, source: "ab" },
  );
  expect(shown.split("\n")).toEqual([
    `${paint(31, "error[c]")}: m`,
    "  --> pipeline:1:1",
    `  ${paint(2, "|")}`,
    `${paint(2, "1")} ${paint(2, "|")} ab`,
    `  ${paint(2, "|")} ${paint(31, "^^")}`,
    `  = ${paint(1, "help")}: h`,
    "",
    `${paint(33, "warning[c]")}: m`,
    "  --> pipeline at /a",
    `  = ${paint(1, "note")}: seen: pipeline at /r`,
    "",
    `${paint(36, "info[c]")}: m`,
    "  --> pipeline at /a",
    "",
    `${paint(31, "1 error")}, ${paint(33, "1 warning")}, ${paint(36, "1 remark")}`,
    "",
  ]);
});

describe("a place", () => {
  test.each([
    ["of a file", { range: range(3, 4, 6) }, { file: "p.yaml" }, ["  --> p.yaml:3:5"]],
    ["of a pointer", {}, { file: "p.yaml" }, ["  --> p.yaml at /a"]],
    ["of everything", { path: "" }, { file: "p.yaml" }, ["  --> p.yaml"]],
    ["of no file", {}, {}, ["  --> pipeline at /a"]],
    ["behind the last line", { range: range(2, 0, 1) }, { source: "ab" }, ["  --> pipeline:2:1"]],
    [
      "in the tenth line",
      { range: range(10, 1, 2) },
      { source: "\n\r\n\r\n\n\n\n\n\n\nab  \n" },
      ["  --> pipeline:10:2", "   |", "10 | ab", "   |  ^"],
    ],
    [
      "behind a carriage return",
      { range: range(2, 0, 1) },
      { source: "a\rb\rc" },
      ["  --> pipeline:2:1", "  |", "2 | b", "  | ^"],
    ],
    [
      "in several lines",
      { range: range(1, 1, 1, 2) },
      { source: "abc\ndef" },
      ["  --> pipeline:1:2", "  |", "1 | abc", "  |  ^^"],
    ],
    [
      "of no width",
      { range: range(1, 1, 1) },
      { source: "abc" },
      ["  --> pipeline:1:2", "  |", "1 | abc", "  |  ^"],
    ],
    [
      "behind the end of a line",
      { range: range(1, 3, 3) },
      { source: "abc" },
      ["  --> pipeline:1:4", "  |", "1 | abc", "  |    ^"],
    ],
    [
      "in an empty line",
      { range: range(1, 0, 0) },
      { source: "\nabc" },
      ["  --> pipeline:1:1", "  |", "1 |", "  | ^"],
    ],
  ])("%s", (_, more, options, lines) => expect(linesOf(more, options).slice(1)).toEqual(lines));
});

describe("a line in 26 columns", () => {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const columns = 26;
  const frame = (line: string, from: number, to: number) => {
    const [, , , shown = "", marks = ""] = linesOf(
      { range: range(1, from, to) },
      { source: line, width: 30 },
    );
    return { text: shown.slice(4), at: marks.indexOf("^") - 4, length: marks.split("^").length - 1 };
  };

  test("stands there whole when it is as long", () => {
    const line = letters.slice(0, columns);
    for (let from = 0; from < columns; from++)
      expect(frame(line, from, columns)).toEqual({ text: line, at: from, length: columns - from });
  });

  test("is cut around the place when it is longer, with a third before", () => {
    const line = letters.slice(0, 60);
    for (let from = 0; from < 60; from++) {
      for (const to of [from + 1, from + 5, 60]) {
        if (to > 60) continue;
        const at = Math.min(from, 8);
        const first = from - at;
        const isCutAtEnd = first + columns < 60;
        const inner = line.slice(first, first + columns);
        const text = `${first > 0 ? "…" : inner[0]}${inner.slice(1, isCutAtEnd ? -1 : undefined)}${isCutAtEnd ? "…" : ""}`;
        const length = Math.min(to - from, inner.length - at - (isCutAtEnd ? 1 : 0));
        expect(frame(line, from, to)).toEqual({ text, at, length });
      }
    }
  });

  test("counts characters, not their halves", () => {
    const faces = "\u{1f600}".repeat(26);
    expect(frame(faces, 2, 6)).toEqual({ text: faces, at: 1, length: 2 });
    const more = "\u{1f600}".repeat(40);
    expect(frame(more, 40, 44)).toEqual({
      text: `…${"\u{1f600}".repeat(24)}…`,
      at: 8,
      length: 2,
    });
  });
});

describe("a text is broken at blanks", () => {
  const words = Array.from({ length: 40 }, (_, index) => "x".repeat(1 + ((index * 7) % 11)));
  const message = words.join(" ");
  const related = [{ path: "/r", message }];

  test.each([30, 31, 40, 57, 80, 99, 100, 140])("in %d columns", (width) => {
    const lines = linesOf({ message, hint: message, related }, { width });
    const at = lines.findIndex((line) => line.startsWith("  --> "));
    const helps = lines.findIndex((line) => line.startsWith("  = help"));
    const notes = lines.findIndex((line) => line.startsWith("  = note"));
    const parts = [
      { lines: lines.slice(0, at), indent: "  ", text: `error[c]: ${message}` },
      { lines: lines.slice(helps, notes), indent: "    ", text: `  = help: ${message}` },
      { lines: lines.slice(notes), indent: "    ", text: `  = note: ${message}: pipeline at /r` },
    ];
    for (const {
      lines: [first = "", ...rest],
      indent,
      text,
    } of parts) {
      expect([first, ...rest.map((line) => line.slice(indent.length))].join(" ")).toBe(text);
      expect(rest.filter((line) => !line.startsWith(indent) || line[indent.length] === " ")).toEqual([]);
      // No line is too long, and none has room for the next word.
      const all = [first, ...rest];
      expect(all.filter((line) => line.length > width)).toEqual([]);
      const next = rest.map((line) => line.trim().split(" ")[0] ?? "");
      expect(next.filter((word, index) => `${all[index]} ${word}`.length <= width)).toEqual([]);
    }
  });

  test("but not in a word", () => {
    const long = "y".repeat(50);
    expect(linesOf({ message: `a ${long} b` }, { width: 30 }).slice(0, 3)).toEqual([
      "error[c]: a",
      `  ${long}`,
      "  b",
    ]);
  });

  test("whatever the colours", () => {
    const plain = linesOf({ message, hint: message, related }, { width: 40 });
    const painted = linesOf({ message, hint: message, related }, { width: 40, color: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes for colours begin with one
    expect(painted.map((line) => line.replace(/\u001b\[\d+m/g, ""))).toEqual(plain);
  });

  test.each([
    [undefined, 100],
    [0, 30],
    [29, 30],
    [40.9, 40],
  ])("a width of %s is one of %d", (given, width) => {
    const options = given === undefined ? {} : { width: given };
    expect(linesOf({ message }, options)).toEqual(linesOf({ message }, { width }));
    expect(linesOf({ message }, options)).not.toEqual(linesOf({ message }, { width: width + 12 }));
  });
});

test("a tab is one blank, so that the marks stand under what they mean; of other signs there is a dot", () => {
  const lines = linesOf({ message: "a\tb\u0007c", range: range(1, 2, 4) }, { source: "\ta\tbc\u0000" });
  expect(lines).toEqual(["error[c]: a b·c", "  --> pipeline:1:3", "  |", "1 |  a bc·", "  |   ^^"]);
});

test("blanks at the end of a line are neither shown nor marked", () => {
  const lines = linesOf({ range: range(1, 1, 1, 2) }, { source: "a: |   \n  b\n" });
  expect(lines.slice(3)).toEqual(["1 | a: |", "  |  ^^^"]);
});

test("a part of a column is none", () => {
  const source = "x".repeat(80);
  const shown = (width: number) => linesOf({ range: range(1, 0, 2) }, { source, width });
  expect(shown(40.9)).toEqual(shown(40));
  expect(shown(40)[3]).toHaveLength(40);
});
