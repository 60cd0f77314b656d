import { expect, test } from "vitest";
import { formatRecordProblem, type RecordProblem } from "./record-problem.js";

test.each<[problem: RecordProblem, text: string]>([
  [{ index: 17, field: "model", message: "is missing", id: "5b" }, "record 17 (id 5b): model is missing"],
  [{ index: 0, field: "model", message: "is missing" }, "record 0: model is missing"],
  [{ index: 0, field: "id", message: "must not be empty", id: "" }, "record 0 (id ): id must not be empty"],
  [{ index: 3, field: "", message: "must be an object; got 1" }, "record 3: must be an object; got 1"],
])("a problem is told in one line: %j", (problem, text) => {
  expect(formatRecordProblem(problem)).toBe(text);
});

test.each<[given: unknown, shown: string]>([
  [undefined, "nothing"],
  [[], "a list"],
  [{ index: 0, message: "is missing" }, "an object"],
])("what is no problem is refused: %j", (given, shown) => {
  const format = () => formatRecordProblem(given as RecordProblem);
  expect(format).toThrow(new TypeError(`formatRecordProblem needs a problem of a report; got ${shown}.`));
});
