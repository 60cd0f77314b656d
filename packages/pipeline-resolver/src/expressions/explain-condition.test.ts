import type { ExecutorInput, PartialMessage } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { compileExpression } from "../index.js";

const parameters = (values: Readonly<Record<string, unknown>>): PartialMessage<ExecutorInput> => ({
  inputs: { parameterValues: values },
});

describe("explanations", () => {
  const input = parameters({ n: 3, s: "x", big: Array.from({ length: 100 }, (_, i) => i) });
  const cases = [
    [
      "int(inputs.parameter_values['n']) > 5 && inputs.parameter_values['s'] == 'x'",
      "false because int(inputs.parameter_values['n']) > 5 is false (int(inputs.parameter_values['n']) is 3)",
    ],
    [
      "inputs.parameter_values['s'] == 'x' || inputs.parameter_values['n'] > 5.0",
      "true because inputs.parameter_values['s'] == 'x' is true (inputs.parameter_values['s'] is \"x\")",
    ],
    [
      "!(inputs.parameter_values['n'] == 3.0) && true",
      "false because inputs.parameter_values['n'] == 3.0 is true (inputs.parameter_values['n'] is 3)",
    ],
    [
      "inputs.parameter_values['n'] > 2.0 ? inputs.parameter_values['s'] == 'y' : true",
      "false because inputs.parameter_values['n'] > 2.0 is true (inputs.parameter_values['n'] is 3) and inputs.parameter_values['s'] == 'y' is false (inputs.parameter_values['s'] is \"x\")",
    ],
    [
      "inputs.parameter_values['n'] > 5.0 ? true : inputs.parameter_values['s'] == 'x'",
      "true because inputs.parameter_values['n'] > 5.0 is false (inputs.parameter_values['n'] is 3) and inputs.parameter_values['s'] == 'x' is true (inputs.parameter_values['s'] is \"x\")",
    ],
    ["inputs.parameter_values['missing'] == 1 && true", "failed because no such key: missing"],
    [
      "inputs.parameter_values['missing'] == 1 && inputs.parameter_values['s'] == 'y'",
      "false because inputs.parameter_values['s'] == 'y' is false (inputs.parameter_values['s'] is \"x\")",
    ],
    [
      "inputs.parameter_values['n'] == 3.0 && inputs.parameter_values['s'] == 'x'",
      "true because inputs.parameter_values['n'] == 3.0 is true (inputs.parameter_values['n'] is 3) and inputs.parameter_values['s'] == 'x' is true (inputs.parameter_values['s'] is \"x\")",
    ],
    [
      "(inputs.parameter_values['missing'] == 1 ? true : false) || false",
      "failed because no such key: missing",
    ],
    ["has(inputs.parameter_values.x)", "false because has(inputs.parameter_values.x) is false"],
    ["false", "false, whatever the inputs are"],
    ["true", "true, whatever the inputs are"],
  ] as const;
  for (const [text, summary] of cases) {
    test(text, () => expect(compileExpression(text, "condition").explain(input).summary).toBe(summary));
  }

  test.each([
    ["inputs.parameter_values['v']", null, null],
    ["inputs.parameter_values['v']", [1, [null]], [1, [null]]],
    ["inputs.parameter_values['v']", { a: [{ b: null }] }, { a: [{ b: null }] }],
    ["int(inputs.parameter_values['v'])", "-9007199254740991", -(2 ** 53 - 1)],
    ["int(inputs.parameter_values['v'])", "9007199254740993", "9007199254740993"],
    ["uint(inputs.parameter_values['v'])", "7", "7"],
    ["bytes(inputs.parameter_values['v'])", "ab", "ab"],
    ["duration(inputs.parameter_values['v'])", "1.5s", "1.5s"],
    ["timestamp(inputs.parameter_values['v'])", "2026-03-01T12:00:00.25+02:00", "2026-03-01T10:00:00.25Z"],
    ["{1: inputs.parameter_values['v'], true: [null]}", "x", { 1: "x", true: [null] }],
  ])("what %s is of %j is shown as JSON", (operand, v, value) => {
    const { reasons } = compileExpression(`dyn(${operand}) == 'no'`, "condition").explain(parameters({ v }));
    expect(reasons.map(({ operands }) => operands.map((one) => one.value))).toEqual([[value]]);
  });

  test("operands have places and values; long values are cut in the sentence", () => {
    const text = "inputs.parameter_values['big'].size() > 1000";
    const explanation = compileExpression(text, "condition").explain(input);
    expect(explanation.reasons).toEqual([
      {
        text: "inputs.parameter_values['big'].size() > 1000",
        span: { start: 0, end: text.length },
        value: false,
        operands: [
          { text: "inputs.parameter_values['big'].size()", span: { start: 0, end: 37 }, value: 100 },
        ],
      },
    ]);
    const all = compileExpression("inputs.parameter_values['big'].all(x, x > 5.0)", "condition").explain(
      input,
    );
    expect(all.summary).toMatch(/^false because .*…\)$/);
  });

  test("of thousands of operands the one that decided is told", () => {
    const text = `${"inputs.parameter_values['big'] == 'no' || ".repeat(1_500)}inputs.parameter_values['big'].size() > 5`;
    const { value, reasons } = compileExpression(text, "condition").explain(input);
    expect([value, reasons.map((reason) => reason.text)]).toEqual([
      true,
      ["inputs.parameter_values['big'].size() > 5"],
    ]);
  });

  test("a value of 100 characters is shown, a longer one is cut there", () => {
    const shown = (length: number): string => {
      const condition = compileExpression("inputs.parameter_values['v'] == 'no'", "condition");
      const [, value] =
        /is (".*)\)$/.exec(condition.explain(parameters({ v: "x".repeat(length) })).summary) ?? [];
      return value ?? "";
    };
    expect([shown(98), shown(99)]).toEqual([`"${"x".repeat(98)}"`, `"${"x".repeat(98)}…`]);
  });

  test("of a choice that fails neither branch is told", () => {
    const text = "inputs.parameter_values['m'] == 1 ? inputs.parameter_values['n'] == 1.0 : false";
    const { reasons } = compileExpression(text, "condition").explain(input);
    expect(reasons.map((reason) => reason.text)).toEqual(["inputs.parameter_values['m'] == 1"]);
  });

  test("a number that is negated stays one, where a condition that is negated is looked into", () => {
    const reasonsOf = (text: string) =>
      compileExpression(text, "condition")
        .explain(input)
        .reasons.map((reason) => reason.text);
    const n = "inputs.parameter_values['n']";
    expect([reasonsOf(`-${n} || false`), reasonsOf(`!(${n} == 1.0)`)]).toEqual([[`-${n}`], [`${n} == 1.0`]]);
  });

  test("failed parts say why", () => {
    const { reasons } = compileExpression("inputs.parameter_values['m'] == 1 || false", "condition").explain(
      input,
    );
    expect(reasons).toMatchObject([{ value: undefined, problem: { message: "no such key: m" } }]);
  });
});
