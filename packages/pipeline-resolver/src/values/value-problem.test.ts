import { expect, test } from "vitest";
import { resolved, ValueProblems } from "./value-problem.js";

const warning = { code: "null", severity: "warning", path: "/a/b~1c", message: "it is null" };
const error = { code: "type", severity: "error", path: "", message: "it is text", hint: "a number" };

test.each<{ of: string; found: (problems: ValueProblems) => void; result: unknown }>([
  { of: "nothing", found: () => {}, result: { ok: true, value: 5, problems: [] } },
  {
    of: "warnings",
    found: (problems) => problems.warn("null", ["a", "b/c"], "it is null"),
    result: { ok: true, value: 5, problems: [warning] },
  },
  {
    of: "an error between warnings",
    found: (problems) => {
      problems.warn("null", ["a", "b/c"], "it is null");
      problems.error("type", [], "it is text", "a number");
      problems.warn("null", ["a", "b/c"], "it is null");
    },
    result: { ok: false, problems: [warning, error, warning] },
  },
])("a result has all that was found, as it was found: $of", ({ found, result }) => {
  const problems = new ValueProblems();
  found(problems);
  expect(resolved(5, problems)).toStrictEqual(result);
});
