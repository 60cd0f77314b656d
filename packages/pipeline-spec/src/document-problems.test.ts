import { describe, expect, test } from "vitest";
import { DocumentProblems } from "./document-problems.js";
import { Reading } from "./reading.js";

const text = "a: b\n  \nc:\t\n";

describe("the problems of a text", () => {
  test("come in the order of the text, each with its place", () => {
    const problems = new DocumentProblems(text, 10);
    problems.warning("ambiguous-scalar", ["c"], "later", [8, 9], "do");
    problems.error("yaml-syntax", [], "first", [0, 9]);
    problems.error("yaml-syntax", ["a", 0], "second", [3, 4]);
    expect(problems.list()).toEqual([
      {
        ...{ code: "yaml-syntax", severity: "error", path: "", message: "first" },
        range: { start: { offset: 0, line: 1, column: 1 }, end: { offset: 9, line: 3, column: 2 } },
      },
      {
        ...{ code: "yaml-syntax", severity: "error", path: "/a/0", message: "second" },
        range: { start: { offset: 3, line: 1, column: 4 }, end: { offset: 4, line: 1, column: 5 } },
      },
      {
        ...{ code: "ambiguous-scalar", severity: "warning", path: "/c", message: "later", hint: "do" },
        range: { start: { offset: 8, line: 3, column: 1 }, end: { offset: 9, line: 3, column: 2 } },
      },
    ]);
    expect([problems.failed, problems.counts]).toEqual([true, { error: 2, warning: 1, info: 0 }]);
  });

  test("are about no white space at their end, and no more than the text", () => {
    const problems = new DocumentProblems(text, 10);
    const span = (start: number, end: number) => {
      const range = problems.range([start, end]);
      return [range.start.offset, range.end.offset];
    };
    expect([span(0, 8), span(3, 5), span(8, 12), span(8, 100), span(5, 8), span(4, 4)]).toEqual([
      [0, 4],
      [3, 4],
      [8, 10],
      [8, 10],
      [5, 5],
      [4, 4],
    ]);
  });

  test("are told once for each code, path and place", () => {
    const problems = new DocumentProblems(text, 10);
    problems.error("yaml-syntax", ["a"], "one", [0, 1]);
    problems.error("yaml-syntax", ["a"], "again", [0, 2]);
    problems.error("yaml-syntax", ["a"], "elsewhere", [1, 2]);
    problems.error("duplicate-key", ["a"], "of another kind", [0, 1]);
    problems.error("yaml-syntax", ["b"], "of something else", [0, 1]);
    expect(problems.list().map(({ message }) => message)).toEqual([
      "one",
      "of another kind",
      "of something else",
      "elsewhere",
    ]);
    expect(problems.counts.error).toBe(4);
  });

  test("are forgotten when the text is read anew", () => {
    const problems = new DocumentProblems(text, 1);
    problems.error("yaml-syntax", ["a"], "one", [0, 1]);
    problems.warning("yaml-syntax", [], "two", [0, 1]);
    problems.clear();
    expect([problems.failed, problems.list(), problems.counts]).toEqual([
      false,
      [],
      { error: 0, warning: 0, info: 0 },
    ]);
    const reading = new Reading();
    reading.path.push("a");
    reading.error("wrong-type", "three");
    problems.found(reading, () => [3, 4]);
    problems.warning("yaml-syntax", [], "four", [0, 1]);
    expect(problems.list().map(({ message }) => message)).toEqual(
      ["not listed: 1 more warning", "three"].reverse(),
    );
  });

  test("of a value that is known to be missing are not told, and those that were not listed are counted", () => {
    const problems = new DocumentProblems(text, 10);
    problems.error("duplicate-key", ["a"], "twice", [0, 1]);
    problems.warning("ambiguous-scalar", ["c"], "only a warning", [8, 9]);
    const reading = new Reading({ maxProblems: 3 });
    for (const [path, message] of [
      ["a", "missing"],
      ["c", "there"],
      ["d", "there too"],
      ["e", "left out"],
    ] as const) {
      reading.path.splice(0, 1, path);
      reading.error("wrong-type", message);
    }
    problems.found(reading, ({ path }) => (path === "/c" ? [9, 10] : [5, 6]));
    expect(problems.list().map(({ message }) => message)).toEqual([
      "twice",
      "there too",
      "only a warning",
      "there",
      "not listed: 1 more error",
    ]);
    expect(problems.counts).toEqual({ error: 4, warning: 1, info: 0 });
  });

  test("that are not listed are remarked on at the beginning", () => {
    const problems = new DocumentProblems(text, 0);
    problems.error("yaml-syntax", [], "one", [3, 4]);
    expect(problems.list()).toMatchObject([
      { code: "too-many-problems", range: { start: { offset: 0 }, end: { offset: 0 } } },
    ]);
  });
});
