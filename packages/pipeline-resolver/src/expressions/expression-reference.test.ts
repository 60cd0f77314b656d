import { describe, expect, test } from "vitest";
import { compileExpression } from "../index.js";

describe("references", () => {
  const read = (text: string, kind: "condition" | "selector" = "condition"): unknown[] =>
    compileExpression(text, kind).references.map(({ source, name, path, span, nameSpan, presence }) => [
      source,
      name,
      path,
      text.slice(span.start, span.end),
      text.slice(nameSpan.start, nameSpan.end),
      presence,
    ]);

  test("names, paths and places of what is read", () => {
    expect(
      read("inputs.parameter_values['a'] == 1 && inputs.artifacts.m.artifacts[0].metadata['k'] > 1.0"),
    ).toEqual([
      ["inputs.parameter_values", "a", [], "inputs.parameter_values['a']", "'a'", false],
      [
        "inputs.artifacts",
        "m",
        ["artifacts", 0, "metadata", "k"],
        "inputs.artifacts.m.artifacts[0].metadata['k']",
        "m",
        false,
      ],
    ]);
  });

  test("names in backticks are names, and stand where the backticks stand", () => {
    expect(read("inputs.parameter_values.`a-b`.`c d` == 1 && has(outputs.`parameters`.`e.f`)")).toEqual([
      [
        ...["inputs.parameter_values", "a-b", ["c d"]],
        ...["inputs.parameter_values.`a-b`.`c d`", "`a-b`", false],
      ],
      ["outputs.parameters", "e.f", [], "outputs.`parameters`.`e.f`", "`e.f`", true],
    ]);
  });

  test.each([
    ["[1].all(inputs, inputs.parameter_values.a == 1)", []],
    ["[1].all(inputs, [2].all(x, inputs.parameter_values.a == x))", []],
    ["[1].all(x, [2].all(inputs, inputs.parameter_values.a == x))", []],
    ["[1].all(inputs, [2].all(outputs, inputs.parameter_values.a == outputs.parameters.b))", []],
    ["[1].all(inputs, [2].all(x, x == 2) && inputs.parameter_values.a == 1)", []],
    ["[1].all(x, [2].all(inputs, true) && inputs.parameter_values.a == x)", ["a"]],
    ["[1].all(inputs, true) && inputs.parameter_values.a == 1", ["a"]],
    ["inputs.parameter_values.a.all(inputs, inputs == 1)", ["a"]],
    ["[1].all(inputs, outputs.parameters.b == inputs)", ["b"]],
    ["[[1]].all(inputs, inputs.all(x, outputs.parameters[string(x)] == inputs))", [undefined]],
    ["[1].all(x, outputs.parameters[inputs.parameter_values.a] == x)", [undefined, "a"]],
    ["[1].all(inputs, [2].all(x, outputs.parameters[inputs.parameter_values.a] == x))", [undefined]],
  ])("variables of loops hide what has their name, and only there: %s", (text, names) => {
    expect(compileExpression(text, "condition").references.map(({ name }) => name)).toEqual(names);
  });

  test("questions for presence say so", () => {
    expect(read("has(inputs.parameter_values.a) || 'b' in inputs.parameter_values")).toEqual([
      ["inputs.parameter_values", "a", [], "inputs.parameter_values.a", "a", true],
      ["inputs.parameter_values", "b", [], "'b' in inputs.parameter_values", "'b'", true],
    ]);
  });

  test("questions for presence say what is looked into, which has to be there", () => {
    const text =
      "has(inputs.parameter_values.a.b) || 'c' in (inputs.parameter_values['d']) || 'e' in string(1)";
    const within = compileExpression(text, "condition").references.map((one) => one.within);
    expect(within.map((one) => one && [one.source, one.name, one.path, one.presence])).toEqual([
      ["inputs.parameter_values", "a", [], false],
      ["inputs.parameter_values", "d", [], false],
    ]);
    expect(within.map((one) => one && text.slice(one.span.start, one.span.end))).toEqual([
      "inputs.parameter_values.a",
      "inputs.parameter_values['d']",
    ]);
  });

  test("computed names are unknown, and what computes them is read too", () => {
    expect(
      read("inputs.parameter_values[inputs.parameter_values['which']] == 1").map((one) =>
        (one as unknown[]).slice(0, 2),
      ),
    ).toEqual([
      ["inputs.parameter_values", undefined],
      ["inputs.parameter_values", "which"],
    ]);
  });

  test("loop variables are no references, but what hides behind them is", () => {
    expect(
      read("inputs.parameter_values['l'].all(inputs, inputs == 1) && inputs.parameter_values['m'] == 1").map(
        (one) => (one as unknown[])[1],
      ),
    ).toEqual(["l", "m"]);
  });

  test("a selector reads members", () => {
    expect(read("parseJson(string_value)['k'] + struct_value.a.b", "selector")).toEqual([
      ["string_value", undefined, [], "string_value", "string_value", false],
      ["struct_value", undefined, ["a", "b"], "struct_value.a.b", "struct_value.a.b", false],
    ]);
  });
});
