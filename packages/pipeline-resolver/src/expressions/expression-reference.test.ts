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

  test("other calls, and what is sought by another value, ask for more than presence", () => {
    expect(
      read("size(inputs.parameter_values.a) == 1 && outputs.output_file in inputs.parameter_values.b"),
    ).toEqual([
      ["inputs.parameter_values", "a", [], "inputs.parameter_values.a", "a", false],
      ["outputs.output_file", undefined, [], "outputs.output_file", "outputs.output_file", false],
      ["inputs.parameter_values", "b", [], "inputs.parameter_values.b", "b", false],
    ]);
  });

  test("a path ends where it is computed, whatever follows", () => {
    expect(read("inputs.artifacts.m.artifacts[size('a')].metadata[0.0] == 1")).toEqual([
      [
        ...["inputs.artifacts", "m", ["artifacts"]],
        ...["inputs.artifacts.m.artifacts[size('a')].metadata[0.0]", "m", false],
      ],
    ]);
    expect(read("list_value[1.0].k[2u] == 1", "selector")).toEqual([
      ["list_value", undefined, [1, "k", 2], "list_value[1.0].k[2u]", "list_value[1.0].k[2u]", false],
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

  test("what computes names is read wherever it stands on the way", () => {
    const names = (text: string) => compileExpression(text, "condition").references.map(({ name }) => name);
    const [a, b] = ["inputs.parameter_values.a", "inputs.parameter_values.b"];
    expect(names(`inputs.artifacts[${a}].artifacts[0].uri == ''`)).toEqual([undefined, "a"]);
    expect(names(`inputs.artifacts[${a}].artifacts[int(${b})].name == ''`)).toEqual([undefined, "a", "b"]);
    expect(names(`type(${a}) == int || foo.bar == 1`)).toEqual(["a"]);
  });

  test("a way of a thousand steps is read, and a longer one is refused", () => {
    const limits = { maxDepth: 5_000 };
    const way = (steps: number) =>
      compileExpression(`inputs${".k".repeat(steps)} == 1`, "condition", { limits });
    expect(way(999).references).toMatchObject([{ path: Array(997).fill("k") }]);
    expect(way(1_000).problems).toMatchObject([{ code: "limit", message: "nested too deep" }]);
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
