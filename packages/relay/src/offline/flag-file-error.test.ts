import { expect, test } from "vitest";
import { flagFileError } from "./flag-file-error.js";

const problem = (line: number, message = "wrong") => ({ line, message });

test.each([
  { count: 1, named: 1, rest: [] },
  { count: 49, named: 49, rest: [] },
  { count: 50, named: 50, rest: [] },
  { count: 51, named: 50, rest: ["flags.json: and 1 more problems"] },
  { count: 120, named: 50, rest: ["flags.json: and 70 more problems"] },
])("of $count problems $named are named, in the order of their lines", ({ count, named, rest }) => {
  const lines = Array.from({ length: count }, (_, n) => n + 1);
  const { code, problems, message } = flagFileError(
    "flags.json",
    lines.toReversed().map((line) => problem(line)),
  );
  const sentences = [...lines.slice(0, named).map((line) => `flags.json:${line}: wrong`), ...rest];
  expect({ code, problems, message }).toEqual({
    code: "malformed_data",
    problems: sentences,
    message: sentences.join("\n"),
  });
});

test("what is said twice of a line is one problem, and problems of a line stay in their order", () => {
  const found = [problem(10, "b"), problem(9, "c"), problem(10, "a"), problem(10, "b")];
  const sentences = ["f:9: c", "f:10: b", "f:10: a"];
  expect(flagFileError("f", found).problems).toEqual(sentences);
  // They take no place from others.
  const more = Array.from({ length: 47 }, (_, n) => problem(n + 11));
  const { problems } = flagFileError("f", [...found, ...more, ...more]);
  expect([problems.length, problems.at(-1)]).toEqual([50, "f:57: wrong"]);
});
