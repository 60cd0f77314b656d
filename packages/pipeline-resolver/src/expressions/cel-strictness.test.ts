import { describe, expect, test } from "vitest";
import { compileExpression } from "../index.js";

const point = "a whole number beside a double is written with a point: 1.0";
const to = (type: string) => `bring both sides to one type, for example with ${type}(…)`;
const doubles = "numbers of inputs and of JSON are doubles: write 2.0 for 2, or int(…) around the other side";
const names = "names are texts, in quotes";
const field = "a field is read with a point: inputs.parameter_values";

/** A condition, what is refused of it, where that stands, and what to do about it. */
const refused: readonly (readonly [text: string, overload: string, at: string, hint?: string])[] = [
  ["1 < 1.5", "int < double", "1 < 1.5", point],
  ["1.5 > 1", "double > int", "1.5 > 1", point],
  ["1.5 <= size('a')", "double <= int", "1.5 <= size('a')", to("double")],
  ["size('a') >= 1.5", "int >= double", "size('a') >= 1.5", to("double")],
  ["1u < 1", "uint < int", "1u < 1", to("int")],
  ["1 >= 1u", "int >= uint", "1 >= 1u", to("uint")],
  ["size('a') > 1u", "int > uint", "size('a') > 1u", to("uint")],
  ["1u > 1.5", "uint > double", "1u > 1.5", to("double")],
  ["1.5 <= 1u", "double <= uint", "1.5 <= 1u", to("double")],
  ["true || [1 < 1.5].exists(x, x)", "int < double", "1 < 1.5", point],
  ["1 == 1.5", "int == double", "1 == 1.5", doubles],
  ["1.5 != 1", "double != int", "1.5 != 1", doubles],
  ["1.5 + 1 == 2.5", "double + int", "1.5 + 1", doubles],
  ["1u == 1", "uint == int", "1u == 1"],
  ["inputs['parameter_values'] == {}", "Inputs[string]", "'parameter_values'", field],
  ["inputs.parameter_values[1] == 1", "map<string, dyn>[int]", "1", names],
  ["inputs.artifacts[1u].artifacts == []", "map<string, ArtifactList>[uint]", "1u", names],
  ["{'a': 1}[true] == 1", "map<string, int>[bool]", "true", names],
  ["{'a': 1}[1.5] == 1", "map<string, int>[double]", "1.5", names],
  ["{1: 2}['a'] == 1", "map<int, int>[string]", "'a'"],
  ["{1: 2}[1u] == 1", "map<int, int>[uint]", "1u"],
  ["{1u: 2}[1] == 1", "map<uint, int>[int]", "1"],
  ["{true: 1}['a'] == 1", "map<bool, int>[string]", "'a'"],
  ["[{1: 2}['a']].size() == 1", "map<int, int>[string]", "'a'"],
];

describe("types that the back end does not take together are refused:", () => {
  for (const [text, overload, at, hint] of refused)
    test(text, () => {
      const { problems } = compileExpression(text, "condition");
      const [{ span } = { span: { start: 0, end: 0 } }] = problems;
      const problem = { code: "type", severity: "error", message: `no such overload: ${overload}`, span };
      expect(problems).toStrictEqual([hint === undefined ? problem : { ...problem, hint }]);
      expect(text.slice(span.start, span.end)).toBe(at);
    });

  test.each([
    "1 < 2",
    "1.5 <= 1.5",
    "1u >= 1u",
    "dyn(1) < 1.5 && 1 > dyn(0.5)",
    "inputs.parameter_values['n'] < 1",
    "1.5 > inputs.parameter_values['n']",
    "dyn(1) == 1.5",
    "{true: true}[true] && {1: true}[1] && {1u: true}[1u] && {'a': true}['a']",
    "{'a': true}[dyn('a')] || dyn({'a': true})[1]",
    "[true][0]",
  ])("and not %s", (text) => {
    expect(compileExpression(text, "condition").problems).toEqual([]);
  });
});
